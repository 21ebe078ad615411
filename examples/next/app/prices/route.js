import { retryingFetch } from '@redrive/core/fetch';

// Retried requests need no Node.
export const runtime = 'edge';

const fetchPrices = retryingFetch({ policy: { id: 'prices', baseDelayMs: 20 }, timeoutMs: 5_000 });

export async function GET(request) {
  const response = await fetchPrices(new URL(request.url).searchParams.get('from'));
  return Response.json({ status: response.status, prices: await response.text() });
}
