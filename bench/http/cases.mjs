/** What the server does, and how long the caller is watched. */
export const cases = {
  '500 on POST': {
    method: 'POST',
    patienceMs: 15_000,
    answer: (response) => response.writeHead(500).end('no'),
  },
  'Retry-After: 3600': {
    patienceMs: 5_000,
    answer: (response) => response.writeHead(429, { 'retry-after': '3600' }).end('later'),
  },
  'the caller aborts during the body': {
    abort: true,
    patienceMs: 10_000,
    answer: (response) => response.writeHead(200, { 'content-length': '100' }).write('half'),
  },
  'the server aborts during the body': {
    patienceMs: 15_000,
    answer: (response) =>
      response.writeHead(200, { 'content-length': '100' }).write('half', () => {
        response.socket?.resetAndDestroy();
      }),
  },
};
