import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from './routes/index.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/http-api.md');

const HEAD = `# The HTTP API

\`@redrive/server\` serves everything that the command line can do. An answer is the document that the command prints with \`--json\` ([the command line](command-line.md) lists the fields). \`/v1/openapi.json\` describes the routes in OpenAPI 3.1. Operations have the names of the functions of [@redrive/client](../../packages/client/README.md): \`gates.release\` is \`gatesRelease\`.

## Starting it

\`redrive serve\` serves it alone, \`redrive start --console\` beside a worker; [how to use it](../how-to/use-the-http-api.md). From a program:

\`\`\`ts
import { mkdtempSync } from 'node:fs';
import { memoryStore } from '@redrive/durable';
import { AccessFile, startServer } from '@redrive/server';

const access = new AccessFile(\`\${mkdtempSync('/tmp/redrive-')}/access.json\`);
const token = await access.createToken({ name: 'ann', role: 'viewer' });
const server = await startServer({ store: memoryStore(), access, port: 0 });
const headers = { authorization: \`Bearer \${token}\` };
const answer = await fetch(\`\${server.url}/v1/jobs\`, { headers });
console.log(answer.status, await answer.json());
// prints: 200 { jobs: [], failing: null, upkeep: 0, next: null }
await server.close();
\`\`\`

The access file has the hashes of tokens, sign-ins and codes of links, and only its owner can read it (mode 600). A token is shown once, by \`createToken\` and by \`redrive tokens create\`. The file is \`<file>.access.json\` beside a SQLite store, and \`redrive.access.json\` beside the configuration for a store on Postgres; \`--access-file\` and \`REDRIVE_ACCESS_FILE\` name another one. \`redrive serve\` and \`redrive tokens create\` print its path. Creating and revoking a token, and each sign-in, is in the audit log, with who did it and why.

## Who may

There is no open mode. A request carries a token (\`Authorization: Bearer …\`) or the cookie and the key of a sign-in, or comes from a [trusted proxy](../how-to/use-the-http-api.md#users-of-a-proxy) that names its user. \`POST /v1/sign-in\` with a \`token\` signs a browser in with the rights of that token, until the token ends; with the \`code\` of a link (\`redrive console link\`), as an admin. It sets the cookie \`redrive_sign_in_<port>\` and answers with a \`key\`, which each request sends as \`x-redrive-key\`: browsers send cookies to every port of a host, so a cookie without the key is refused. A sign-in lasts 12 hours. A stream ends within 15 seconds after its token or sign-in. A server on another address does not start without a token or a trusted proxy.

| role | may |
|---|---|
| viewer | see everything of its tenants, payloads redacted |
| operator | also enqueue, requeue, reset, cancel, retry, pause and resume, hold and release, force a breaker for at most 24 hours, steer bulk operations, reset and release documents, answer escalations |
| admin | also see payloads in full, edit, purge, archive documents, engage and release kill switches, force a breaker without an end |

A token of one tenant sees and changes jobs of that tenant only: the tenant is part of every filter, and a list of ids with a job of another tenant, or with one that does not exist, is refused as a whole (404). A \`unique_key\` of such a token is unique inside its tenant: it is stored, and shown, as \`<tenant>/<unique_key>\`. Routes without "yes" in the column *one tenant* refuse such a token.

## Limits

A body has at most 1 MiB and 64 levels, an address 8 KiB, a page 1,000 entries. A token may send 50 requests a second unless it was made with another rate; after ten wrong tokens or codes in a minute, further wrong ones from that address get 429 with \`Retry-After\`. A right token is always accepted. A request is given up after 10 seconds, exports and verifications apart; a read ends then, and also when its connection is closed. The server runs two requests that read much of the store at once, and answers others of them with 429 \`too_busy\`. A stream whose reader takes nothing for a minute is closed. A change is JSON (\`not_json\` otherwise) from the same site: a request that a browser sends for another site is refused.

Answers that pages ask for again and again, such as \`/v1/status\`, lists of what is stopped and groups of dead letters, are read from the store once in five seconds for everybody, and again after an act, also one of the command line.

Every answer has the id of its request in \`x-request-id\`, a problem document also in \`request_id\`. The log of the server has this id for a request that failed.

A refusal is a problem document (RFC 9457) with a \`code\`: one of [the error codes](errors.md), or one of the server's own, such as \`not_allowed\`, \`not_found\`, \`invalid_input\` with all \`problems\` at once.

| status | code | |
|---|---|---|
| 400 | \`invalid_input\`, \`reason_missing\` | correct the input; the route's \`reason\` is missing |
| 401 | \`not_authenticated\` | send a token |
| 401 | \`wrong_code\`, \`wrong_token\` | nobody is signed in: the code was used or is too old; the token is wrong, was revoked, or has expired |
| 403 | \`not_allowed\` | the role or the tenant of the token does not allow it |
| 409 | \`not_confirmed\` | a purge of documents: send the name of the collection as \`confirm\` |
| 415 | \`not_json\` | send \`Content-Type: application/json\`, also without a body |
| 429 | \`rate_limited\`, \`too_many_tries\` | wait a second; wait a minute: \`Retry-After\` says it, as for every 429 |
| 429 | \`too_busy\` | two heavy requests run already (exports, recordings, verifications, proofs, replays, metrics, causes, \`/v1/doctor\`, \`/v1/config/validate\`): try again when one has ended. So do a second stream of these (an export, a verification) of one caller, a fifth tail of one caller and the 21st of all |
| 503 | \`timeout\` | the store did not answer within 10 seconds. A change may still be carried out: look before you repeat it |
| 503 | \`store_unavailable\`, \`documents_unavailable\`, \`documents_refused\` | the store, or the database of a swept collection, does not answer or refuses |

Every look is in the audit log before it is answered: payloads and exports each time, lists and numbers once per person, view and quarter of an hour. A change has the actor \`api:<name>@<address>\` and the \`reason\` of the request.

\`POST /v1/jobs\` takes an \`Idempotency-Key\`: a repetition gets the stored answer, 409 while the first request is under way, 422 with other parameters. A job may have an \`id\`, a \`unique_key\` and, with it, \`unique_for_ms\`: see [work that must not run twice](jobs.md#work-that-must-not-run-twice). The answer has an outcome per job: \`created\`, \`existing\`, \`replaced\`, \`unique_conflict\` (\`on_conflict\` is \`refuse\`, and the id is that of the job that has the unique key) or \`idempotency_conflict\` (the job with this id has another handler or payload). If every job is refused, the answer is 409. A handler that neither a live worker nor a job nor the configuration names is refused with 404 \`unknown_handler\`, unless \`runs_elsewhere\` is true: its jobs would wait for ever. Jobs of Redrive's own handlers (\`events.publish\`, \`events.publish_dead_letters\`, \`changes.follow\`, \`sweeps.run\`, \`escalation.look\`, \`escalation.notify\`, \`documents.<collection>\`) are refused with 403.

A requeue, reset or purge by id is for dead letters: if one of the ids is another job, nothing is changed (409 \`not_a_dead_letter\`).

\`POST /v1/downloads\` with the \`path\` of a GET answers with an \`address\` that is good once, within 60 seconds, without a header: for a browser that saves a file. It has the rights of the caller who made it.

## Live changes

\`GET /v1/changes\` sends each record of the audit log as a server-sent event, looks apart: \`event: change\` with the document of \`GET /v1/audit\`, and the number of its block as \`id\`. The first event is \`ready\`. A reader that connects again with \`Last-Event-ID\` gets the ten seconds before that block again, because blocks may appear late: drop what you have by \`id\` and \`revision\`. Changes of half a second are sent together. Above 200 records it sends their number by event instead (\`event: counts\`): read your list again. A comment comes every 15 seconds. A stream ends after 15 minutes, and a reader that is more than 1 MiB behind is disconnected. There are at most 500 streams, and 50 of one token or user: further ones get 429 with \`Retry-After\`.

## Figures

\`GET /v1/figures?window=2h\` (1h, 2h, 6h or 24h) answers from memory, so no reader makes the store count. The server follows the audit log and keeps a bucket per minute of the last 24 hours: \`first_try\`, \`recovered\` (succeeded after retries), \`dead\` (new dead letters) and \`retries\` are lists with a number per minute, from the minute \`from\` on; the last minute is not over yet. \`total\` has their sums and \`retry_ratio\`, retries per job that ended. \`time_to_success\` has p50, p95 and p99 in seconds, each known to 9 percent, of \`samples\` jobs; \`p50\` is the list per minute. \`queues\` has the successes of the last 30 minutes by queue. After a start the server reads the log of the last 24 hours in the background, the newest part first: \`rebuilt\` is \`false\` until then, \`progress\` says how far it is, and figures are complete from \`since\` on.

## Routes

`;

test('the reference page has every route; `npx vitest run -u` writes it anew', async () => {
  const rows = ROUTES.map(({ method, path, summary, role, tenants, reason }) => {
    const extra = reason ? `${summary}; needs a \`reason\`` : summary;
    return `| \`${method} ${path}\` | ${role} | ${tenants ? 'yes' : ''} | ${extra} |`;
  });
  const table = ['| route | role | one tenant | |', '|---|---|---|---|', ...rows].join('\n');
  await expect(`${HEAD}${table}\n`).toMatchFileSnapshot(PAGE);
});
