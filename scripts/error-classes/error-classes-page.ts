import { dirname } from 'node:path';
import type { retry as Retry } from '@redrive/core';
import { browserBundle } from '../bundle-size/browser-bundle.ts';
import { COMMON_ERRORS } from './common-errors.ts';
import { judgeCalls, judgeStored } from './judge-errors.ts';

const HEAD = `# What an error becomes on each rung

What a failure of the first attempt becomes, if no policy has lists or classifiers of its own. A test makes this page: each error is thrown in a call, in the handler of an event and in the handler of a job, and the table says what happened.

- **Call**: \`retry\` of \`@redrive/core\` in Node, Deno and Bun, and everything built on it (\`RetryManager\`, \`pipeline\`).
- **Browser**: the same in a bundle for browsers, which has the short rules instead of the tables (see below).
- **Event**: the handler of an event with the policy \`events.default\`, also of an event that a sweep sent, and in \`handleEventWithRetry\`.
- **Job**: the handler of a job with the policy \`runs.default\`.
- Rung 4, the sweep, does not look at errors: a document that stays pending is sent again until its attempts are used up.

*retried*: the next attempt follows after the policy's wait. *rate limited*: it follows, and never earlier than the dependency asked for. *final*: no further attempt; a call throws the error unchanged, an event or a job is a dead letter. *not repeated*: the call gives up with \`effect_unknown\`, because the request was a POST that may have had its effect.

**A POST may be sent twice.** \`retry\` knows the method of a request only if the client puts it into the error or the response, as axios, got, ky, Octokit and Node's \`http\` do. A \`Response\` of \`fetch\` does not tell it: with \`classifyResult: httpResponses\` a POST that ends with 500 is sent again, and so is every POST in a job, and in a bundle for browsers. For \`fetch\` use [\`retryingFetch\`](../how-to/retry-requests.md), which knows the method; for a job send an Idempotency-Key, or set [\`onUnknown\`](jobs.md).
`;

const FOOT = `
An error that no table knows (the last row) has the class of the policy's field \`unclassified\`: \`retryable\`, and \`final\` in the policies \`events.*\`. [Classify errors](../how-to/classify-errors.md) explains the rules and how to change them.

In a bundle for browsers \`retry\` knows HTTP statuses, Retry-After, failed connections of \`fetch\`, programmer's errors and Redrive's own errors. The tables stay out, because all of them would make \`retry\` alone 1.6 times as heavy (11.0 kB become 18.1 kB, minified and gzipped). A bundle takes one with the policy's field \`classify\`: \`retry(load, { classify: nodeErrors })\`. The field \`browser\` in the \`package.json\` of \`@redrive/core\` tells the bundler; a bundler that ignores the field includes the tables.
`;

/** The reference page of common errors; made by throwing each of them on each rung. */
export async function errorClassesPage(): Promise<string> {
  const { retry } = await inBrowsers();
  const calls = await judgeCalls(COMMON_ERRORS);
  const browser = await judgeCalls(COMMON_ERRORS, retry);
  const { events, jobs } = await judgeStored(COMMON_ERRORS);
  const rows = COMMON_ERRORS.map(({ from, name }, at) =>
    [from, name, calls[at], browser[at], events[at], jobs[at]].join(' | '),
  );
  const table = ['from | error | call | browser | event | job', ...rows].map(
    (each) => `| ${each} |`,
  );
  return [HEAD, table[0], '|---|---|---|---|---|---|', ...table.slice(1), FOOT].join('\n');
}

/** `retry` as a bundle for browsers has it. */
async function inBrowsers(): Promise<{ readonly retry: typeof Retry }> {
  const root = dirname(dirname(import.meta.dirname));
  const code = await browserBundle(root, `export { retry } from '@redrive/core';`);
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
