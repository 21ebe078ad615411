import { join } from 'node:path';
import { median, pairedRatio, quantile } from '../lib/statistics.mjs';
import { openStreams, sendAll, startApi } from './clients.mjs';
import { fillLetters } from './letters.mjs';

const CLIENTS = 64;
const PAGE = 50;
const jobsOf = (count) =>
  JSON.stringify({
    jobs: Array.from({ length: count }, (_, image) => ({ handler: 'resize', payload: { image } })),
  });

export const workloads = {
  one: {
    title: 'enqueue one job per request',
    about: `64 connections, one job in each request. The yardstick is a bare Fastify route in the same process that parses the
    same body and answers at once: it stores nothing.`,
    measure: measureOne,
  },
  hundred: {
    title: 'enqueue 100 jobs per request',
    about:
      '64 connections, 100 jobs in each request. The yardstick is the same batches, 64 at once, in the process of the store.',
    measure: measureHundred,
  },
  reads: {
    title: 'pages of dead letters',
    about: `Pages of ${PAGE} letters with their bounded number, one after the other. The yardstick is the same two reads of the
    store in its own process.`,
    measure: measureReads,
  },
  streams: {
    title: 'the worker with 200 open streams',
    about:
      'A worker in the process of the server runs jobs that do nothing, without and with 200 readers of /v1/changes.',
    measure: measureStreams,
  },
};

async function measureOne({ folder, effort: { rounds, requests } }) {
  const api = await startApi(folder, 'one.db');
  const rates = { own: [], bare: [] };
  const urls = { own: api.url, bare: api.bareUrl };
  const given = { path: '/v1/jobs', headers: api.headers, body: jobsOf(1), clients: CLIENTS };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ['own', 'bare'] : ['bare', 'own']) {
        const { rate } = await sendAll({ ...given, url: urls[way], count: requests });
        if (round >= 0) rates[way].push(rate);
      }
    }
  } finally {
    await api.close();
  }
  return ratioOf(
    'one',
    'HTTP ÷ bare route',
    'requests per second',
    rates.own,
    rates.bare,
    'requests/s',
    {
      ratioAtLeast: 0.5,
    },
  );
}

async function measureHundred({ folder, effort: { rounds, batches } }) {
  const api = await startApi(folder, 'hundred.db');
  const rates = { own: [], inside: [] };
  const given = {
    url: api.url,
    path: '/v1/jobs',
    headers: api.headers,
    body: jobsOf(100),
    clients: CLIENTS,
  };
  const ways = {
    own: async () => (await sendAll({ ...given, count: batches })).rate * 100,
    inside: () => api.ask('enqueue', { batches, size: 100, atOnce: CLIENTS }),
  };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ['own', 'inside'] : ['inside', 'own']) {
        const rate = await ways[way]();
        if (round >= 0) rates[way].push(rate);
      }
    }
  } finally {
    await api.close();
  }
  return ratioOf(
    'hundred',
    'HTTP ÷ in process',
    'jobs per second',
    rates.own,
    rates.inside,
    'jobs/s',
    {
      ratioAtLeast: 0.5,
    },
  );
}

async function measureReads({ folder, effort: { rounds, letters, reads } }) {
  await fillLetters(join(folder, 'letters.db'), letters);
  const api = await startApi(folder, 'letters.db');
  const p95 = { own: [], store: [] };
  const pathOf = (next) =>
    `/v1/dead-letters?limit=${PAGE}${next ? `&after=${encodeURIComponent(next)}` : ''}`;
  const given = { url: api.url, headers: api.headers, clients: 1, count: reads, pathOf };
  const ways = {
    own: async () => (await sendAll(given)).times,
    store: () => api.ask('read', { limit: PAGE, count: reads }),
  };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ['own', 'store'] : ['store', 'own']) {
        const times = await ways[way]();
        if (round >= 0) p95[way].push(quantile(times, 0.95));
      }
    }
  } finally {
    await api.close();
  }
  const label = `${letters.toLocaleString('en-US')} letters, HTTP ÷ store`;
  return ratioOf('reads', label, 'p95 of a page', p95.own, p95.store, 'ms', { ratioAtMost: 1.3 });
}

async function measureStreams({ folder, effort: { rounds, jobs } }) {
  const api = await startApi(folder, 'streams.db');
  const rates = { with: [], without: [] };
  const ways = {
    without: () => api.ask('work', { count: jobs }),
    with: async () => {
      const close = await openStreams(api, 200);
      try {
        return await api.ask('work', { count: jobs });
      } finally {
        close();
      }
    },
  };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const way of round % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
        const rate = await ways[way]();
        if (round >= 0) rates[way].push(rate);
      }
    }
  } finally {
    await api.close();
  }
  return ratioOf(
    'streams',
    '200 streams ÷ none',
    'jobs per second',
    rates.with,
    rates.without,
    'jobs/s',
    {
      ratioAtLeast: 0.95,
    },
  );
}

function ratioOf(id, label, measure, own, yardstick, unit, goal) {
  const values = { value: median(own), baseline: median(yardstick) };
  return {
    results: [{ id, label, measure, unit, ...values, ...pairedRatio(own, yardstick), goal }],
  };
}
