import { shopJobs } from '../../lib/jobs.js';

// The store is opened by a request, never by the build.
export const dynamic = 'force-dynamic';

export async function POST(request) {
  const { order } = await request.json();
  const jobs = await shopJobs();
  const { id } = await jobs.enqueue('mail', order, { id: order });
  return Response.json({ job: id }, { status: 202 });
}

export async function GET(request) {
  const jobs = await shopJobs();
  const job = await jobs.job(new URL(request.url).searchParams.get('job') ?? '');
  return Response.json({ state: job?.state ?? 'unknown' });
}
