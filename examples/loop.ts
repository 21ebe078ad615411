// A loop of your own: a download that goes on where it broke off. `node examples/loop.ts`
import { retrySession } from '@redrive/core';

const article = ['Once ', 'upon ', 'a ', 'time ', 'the ', 'line ', 'was ', 'bad.'];

/** Sends what follows `offset`, but loses the connection after three pieces. */
async function* download(offset: number): AsyncGenerator<string> {
  for (const [index, piece] of article.slice(offset).entries()) {
    if (index === 3) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    yield piece;
  }
}

// What has arrived lives outside the attempts, so that none of it is fetched twice.
const received: string[] = [];

for await (const attempt of retrySession({ maxAttempts: 5, baseDelayMs: 20 })) {
  console.log(`attempt ${attempt.attempt} goes on after piece ${received.length}`);
  try {
    for await (const piece of download(received.length)) received.push(piece);
  } catch (error) {
    attempt.fail(error);
  }
}

console.log(received.join(''));
