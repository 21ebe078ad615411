// Written by manifest.test.ts from the list of actions: `npx vitest run packages/operate -u`.
import type { ManifestEntry } from './manifest-entry.ts';

/** Every action by name. */
export const MANIFEST = {
  "audit.replay": {
    "at": "GET /v1/audit/replay/:id",
    "summary": "derive every decision of a session again and compare it with the record",
    "role": "viewer",
    "reads": "sessions",
    "verdict": true,
    "refusals": {
      "no_match": "the audit log knows no such session"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of a job or of a session"
      }
    ],
    "json": "session | text | its id\nsame | boolean | true: every decision was derived again, with the same answer\nomitted | number | steps beyond the limit\nsteps | list | in the order of their times\nsteps[].time | time | the store's clock\nsteps[].event | text | what happened: enqueue, claim, settle, read, …\nsteps[].id | text | id of the job or session; for a note, its subject\nsteps[].from | text or null | the state before; null: none\nsteps[].to | text or null | the state after; null: a note\nsteps[].by | text or null | the actor: cli:user@host, a worker, …\nsteps[].why | text or null | the reason that was given\nsteps[].block | number | of the transaction that wrote it\nsteps[].revision | number | counts the job's records; 0: a note\nsteps[].token | number | of the newest lease\nsteps[].generation | number | of the job; 0: a note\nsteps[].executions | number | attempts over all generations\nsteps[].detail | object | further fields, depending on the event: see the audit log\nsteps[].decision | map or null | null: nothing was decided, or a success\nsteps[].decision.policy_hash | text | version of the policy\nsteps[].decision.policy_id | text or null | its name; null: not known\nsteps[].decision.policy | map or null | its fields by their names in code; null: not known\nsteps[].decision.policy.maxAttempts | number | attempts that may count\nsteps[].decision.policy.backoff | text | exponential, linear, fixed, immediate or list\nsteps[].decision.policy.jitter | text | its kind\nsteps[].decision.policy.baseDelayMs | number | the first wait\nsteps[].decision.policy.maxDelayMs | number | the longest wait\nsteps[].decision.policy.multiplier | number | of an exponential back-off\nsteps[].decision.policy.immediateFirstRetry | boolean | whether the first retry is immediate\nsteps[].decision.decide_version | number | version of `decide` that answered\nsteps[].decision.input | map | the input of `decide`\nsteps[].decision.input.account | map | the attempt account\nsteps[].decision.input.account.charged | number | attempts that count, this one included\nsteps[].decision.input.account.freeWaits | number | waits before it that cost no attempt\nsteps[].decision.input.outcome | map | of the attempt\nsteps[].decision.input.outcome.kind | text | success, failure, lease_lost, interrupted, blocked or unstarted\nsteps[].decision.input.outcome.errorClass | text | of a failure\nsteps[].decision.input.outcome.retryAfterMs | number | the wait that the dependency asked for\nsteps[].decision.input.timeLeftMs | number or null | until the deadline; null: it has none\nsteps[].decision.input.budgetAllows | boolean | whether the retry budget had a token\nsteps[].decision.input.breakerOpenMs | number | for how long the breaker stays open\nsteps[].decision.recorded | map | the answer then\nsteps[].decision.recorded.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.recorded.reason | text | reason code\nsteps[].decision.recorded.delay_ms | number or null | the wait that follows\nsteps[].decision.recorded.entry | text | the entry of the attempt in the account\nsteps[].decision.derived | map or null | the answer now; null: it cannot be derived\nsteps[].decision.derived.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.derived.reason | text | reason code\nsteps[].decision.derived.delay_ms | number or null | the wait that follows\nsteps[].decision.derived.entry | text | the entry of the attempt in the account\nsteps[].decision.same | boolean | whether both are equal\nsteps[].decision.wait | map or null | how the wait came about; null: no back-off took part\nsteps[].decision.wait.nominalMs | number | by the back-off, capped, before jitter\nsteps[].decision.wait.minMs | number | the least that jitter can make of it\nsteps[].decision.wait.maxMs | number | the most\nsteps[].decision.wait.random | number | the random number, from 0 to 1\nsteps[].decision.wait.drawnMs | number | the wait that it gave\nsteps[].decision.wait.hintMs | number | the wait that the dependency asked for"
  },
  "audit.list": {
    "at": "GET /v1/audit",
    "summary": "list records of the audit log, the newest first",
    "role": "viewer",
    "details": "A page looks at 100,000 transactions at most, so it can have fewer records than --limit and still have a `next`. With --format, --limit counts the records of the log that may have a document in the shape: some have none, and one can have two events. `records` then has documents of the shape: see docs/reference/records.md.",
    "reads": "sessions",
    "input": [
      {
        "name": "event",
        "summary": "only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated",
        "choices": [
          "enqueue",
          "replace",
          "claim",
          "settle",
          "lease_lost",
          "unpark",
          "run_now",
          "cancel",
          "expire",
          "requeue",
          "reset",
          "purge",
          "restore",
          "prune",
          "control",
          "session",
          "config",
          "read",
          "act",
          "set_aside",
          "put_back",
          "retry_attempt",
          "retry_success",
          "retry_failure",
          "retry_exhausted",
          "circuit_breaker_opened",
          "circuit_breaker_closed",
          "idempotency"
        ],
        "repeats": true
      },
      {
        "name": "format",
        "summary": "print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape",
        "choices": [
          "audit/v1",
          "event/v1",
          "session/v1"
        ]
      },
      {
        "name": "category",
        "summary": "only of this category, of calls or of the policies of jobs"
      },
      {
        "name": "operation",
        "summary": "only of this operation of calls or handler of jobs"
      },
      {
        "name": "tenant",
        "summary": "only of this tenant"
      },
      {
        "name": "correlation",
        "summary": "only with this correlation id"
      },
      {
        "name": "trace",
        "summary": "only with this trace id"
      },
      {
        "name": "session",
        "summary": "only about this session or job"
      },
      {
        "name": "by",
        "summary": "only by an actor whose name contains this"
      },
      {
        "name": "since",
        "summary": "at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "records | list | records; with format, documents of the shape: see docs/reference/records.md\nrecords[].time | time | the store's clock\nrecords[].event | text | what happened: enqueue, claim, settle, read, …\nrecords[].id | text | id of the job or session; for a note, its subject\nrecords[].from | text or null | the state before; null: none\nrecords[].to | text or null | the state after; null: a note\nrecords[].by | text or null | the actor: cli:user@host, a worker, …\nrecords[].why | text or null | the reason that was given\nrecords[].block | number | of the transaction that wrote it\nrecords[].revision | number | counts the job's records; 0: a note\nrecords[].token | number | of the newest lease\nrecords[].generation | number | of the job; 0: a note\nrecords[].executions | number | attempts over all generations\nrecords[].detail | object | further fields, depending on the event: see the audit log\nrecords[].record | text | the block and the position in it, as audit prove takes it\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "audit.tail": {
    "at": "GET /v1/audit/tail",
    "summary": "print the newest records, then new ones as they are written",
    "role": "viewer",
    "details": "A transaction that commits long after others that began later may be missed here; list and export show all. A stream lasts for at most 15 minutes: to continue, ask with the `block` of the last item as `after`.",
    "reads": "sessions",
    "streams": true,
    "input": [
      {
        "name": "event",
        "summary": "only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated",
        "choices": [
          "enqueue",
          "replace",
          "claim",
          "settle",
          "lease_lost",
          "unpark",
          "run_now",
          "cancel",
          "expire",
          "requeue",
          "reset",
          "purge",
          "restore",
          "prune",
          "control",
          "session",
          "config",
          "read",
          "act",
          "set_aside",
          "put_back",
          "retry_attempt",
          "retry_success",
          "retry_failure",
          "retry_exhausted",
          "circuit_breaker_opened",
          "circuit_breaker_closed",
          "idempotency"
        ],
        "repeats": true
      },
      {
        "name": "format",
        "summary": "print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape",
        "choices": [
          "audit/v1",
          "event/v1",
          "session/v1"
        ]
      },
      {
        "name": "category",
        "summary": "only of this category, of calls or of the policies of jobs"
      },
      {
        "name": "operation",
        "summary": "only of this operation of calls or handler of jobs"
      },
      {
        "name": "tenant",
        "summary": "only of this tenant"
      },
      {
        "name": "correlation",
        "summary": "only with this correlation id"
      },
      {
        "name": "trace",
        "summary": "only with this trace id"
      },
      {
        "name": "session",
        "summary": "only about this session or job"
      },
      {
        "name": "by",
        "summary": "only by an actor whose name contains this"
      },
      {
        "name": "since",
        "summary": "at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "first print this many of the newest records, 1 to 1,000; default 10"
      },
      {
        "name": "for",
        "summary": "exit after this time, such as 30s; default: never"
      },
      {
        "name": "after",
        "summary": "begin with the records of the transactions after this one, not the newest"
      }
    ],
    "json": "records | list | records; with format, documents of the shape: see docs/reference/records.md\nrecords[].time | time | the store's clock\nrecords[].event | text | what happened: enqueue, claim, settle, read, …\nrecords[].id | text | id of the job or session; for a note, its subject\nrecords[].from | text or null | the state before; null: none\nrecords[].to | text or null | the state after; null: a note\nrecords[].by | text or null | the actor: cli:user@host, a worker, …\nrecords[].why | text or null | the reason that was given\nrecords[].block | number | of the transaction that wrote it\nrecords[].revision | number | counts the job's records; 0: a note\nrecords[].token | number | of the newest lease\nrecords[].generation | number | of the job; 0: a note\nrecords[].executions | number | attempts over all generations\nrecords[].detail | object | further fields, depending on the event: see the audit log\nrecords[].record | text | the block and the position in it, as audit prove takes it\nblock | number | the newest transaction that was read"
  },
  "audit.export": {
    "at": "GET /v1/audit/export",
    "summary": "read all records, the oldest first",
    "role": "viewer",
    "details": "It reads the log as it is at one moment; workers can continue to write.",
    "reads": "sessions",
    "exports": true,
    "streams": true,
    "input": [
      {
        "name": "event",
        "summary": "only this kind of record, or records that audit/v1 and event/v1 call so, such as retry_attempt; may be repeated",
        "choices": [
          "enqueue",
          "replace",
          "claim",
          "settle",
          "lease_lost",
          "unpark",
          "run_now",
          "cancel",
          "expire",
          "requeue",
          "reset",
          "purge",
          "restore",
          "prune",
          "control",
          "session",
          "config",
          "read",
          "act",
          "set_aside",
          "put_back",
          "retry_attempt",
          "retry_success",
          "retry_failure",
          "retry_exhausted",
          "circuit_breaker_opened",
          "circuit_breaker_closed",
          "idempotency"
        ],
        "repeats": true
      },
      {
        "name": "format",
        "summary": "print the records in this shape of the data models; default: records of the log. --event then takes the event types of the shape",
        "choices": [
          "audit/v1",
          "event/v1",
          "session/v1"
        ]
      },
      {
        "name": "category",
        "summary": "only of this category, of calls or of the policies of jobs"
      },
      {
        "name": "operation",
        "summary": "only of this operation of calls or handler of jobs"
      },
      {
        "name": "tenant",
        "summary": "only of this tenant"
      },
      {
        "name": "correlation",
        "summary": "only with this correlation id"
      },
      {
        "name": "trace",
        "summary": "only with this trace id"
      },
      {
        "name": "session",
        "summary": "only about this session or job"
      },
      {
        "name": "by",
        "summary": "only by an actor whose name contains this"
      },
      {
        "name": "since",
        "summary": "at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "before this time; 10m: more than 10 minutes ago"
      }
    ],
    "json": "records | list | records; with format, documents of the shape: see docs/reference/records.md\nrecords[].time | time | the store's clock\nrecords[].event | text | what happened: enqueue, claim, settle, read, …\nrecords[].id | text | id of the job or session; for a note, its subject\nrecords[].from | text or null | the state before; null: none\nrecords[].to | text or null | the state after; null: a note\nrecords[].by | text or null | the actor: cli:user@host, a worker, …\nrecords[].why | text or null | the reason that was given\nrecords[].block | number | of the transaction that wrote it\nrecords[].revision | number | counts the job's records; 0: a note\nrecords[].token | number | of the newest lease\nrecords[].generation | number | of the job; 0: a note\nrecords[].executions | number | attempts over all generations\nrecords[].detail | object | further fields, depending on the event: see the audit log\nrecords[].record | text | the block and the position in it, as audit prove takes it\nshare | number | the part of the log that was read, 0 to 1"
  },
  "audit.verify": {
    "at": "GET /v1/audit/verify",
    "summary": "check every hash, chain and anchor, and derive every decision again",
    "role": "viewer",
    "details": "It checks the log as it is at one moment; workers can continue to write. Save the head that it gives in a place that the users of the store cannot write to: without a saved head, missing records at the end of the log cannot be detected. It gives its progress each half second; the last item is the verdict.",
    "streams": true,
    "input": [
      {
        "name": "head",
        "summary": "the log must contain this head, saved before"
      }
    ],
    "json": "state | \"running\" or \"done\" | done: the last item, the verdict\nrecords | number | records that were read\npass | number | while it runs: the first time through the log is 1\nshare | number or null | while it runs: the part that was read, 0 to 1; null: not known\nok | boolean | true: no problem was found\nblocks | number | transactions that were read\ndecisions | number | decisions that were derived again\nsealed | number | records under an anchor\nhas_worker | boolean or null | whether a worker runs, which seals; null: not known\nhead | map or null | the newest anchor: save it; null: nothing is sealed\nhead.seq | number | its number\nhead.hash | text | in hex\nhead.time | time or null | when it was sealed; null: what is stored is no time\nproblems | list | at most 100\nproblems[].kind | text | see the audit log\nproblems[].where | map | the place, as far as it is known\nproblems[].where.anchor | number | number of an anchor\nproblems[].where.pack | number | number of a pack of old blocks\nproblems[].where.block | number | number of a transaction\nproblems[].where.id | text | of a job, or the subject of a note\nproblems[].where.revision | number | of that job\nproblems[].expected | text | the value that follows from the rest of the log\nproblems[].found | text | the value that the log has\nproblems_found | number | how many there are in all"
  },
  "audit.prove": {
    "at": "GET /v1/audit/prove/:id",
    "summary": "write a proof that a record is in the log, for people without the store",
    "role": "viewer",
    "details": "The proof contains the other records of the same transaction too, because the block's hash covers them; the command prints how many. A record that is not sealed yet has no proof: a worker seals about once a second.",
    "reads": "sessions",
    "exports": true,
    "refusals": {
      "no_match": "the log has no such record",
      "conflict": "there is no proof: the record is not sealed yet, or the proof does not reach the head"
    },
    "input": [
      {
        "name": "id",
        "summary": "the id of a job (its newest record), <id>@<revision>, or the record that list --json prints"
      },
      {
        "name": "head",
        "summary": "the proof reaches this head, saved before; default: the newest anchor"
      }
    ],
    "json": "format | \"redrive/proof/1\" | the version of the format\nrecord | map | the record as it is stored\nrecord.id | text | the job; of a note, its subject\nrecord.revision | number | counts the job's records; 0: a note\nrecord.event | text | what happened: enqueue, claim, settle, …\nrecord.from | text or null | the state before; null: none\nrecord.to | text or null | the state after; null: a note\nrecord.atMs | number | the store's time, Unix time in ms\nrecord.token | number | of the newest lease\nrecord.generation | number | of the job; 0: a note\nrecord.executions | number | attempts over all generations\nrecord.previousBlock | number | the block with the job's record before it; 0: none\nrecord.detail | object | further fields, depending on the event\nindex | number | its place in the block's body, from 0\nblock | map | the transaction that wrote it, with all its records\nblock.seq | number | its number\nblock.writer | text | the writer, whose blocks are a chain\nblock.atMs | number | the store's time, Unix time in ms\nblock.prevHash | text | hash of the block of this writer before it; \"\": none\nblock.hash | text | in hex\nblock.body | text | all records of the transaction, as they are hashed\nblock.position | text | its place in the order of sealing\nleaf | number | the block's place among those under the anchor, from 0\npath | list | the hashes from the block's leaf to the root of the anchor\npath[].side | \"left\" or \"right\" | of this hash\npath[].hash | text | in hex\nanchor | map | the seal over it\nanchor.seq | number | its number\nanchor.hash | text | in hex\nanchor.from | text | position of the first block of its segment\nanchor.to | text | position of the last one\nanchor.blocks | number | blocks in the segment\nanchor.root | text | the Merkle root over them, in hex\nanchor.prevHash | text | hash of the anchor before it; \"\" for the first one\nanchor.atMs | number | the store's time of sealing, Unix time in ms\nchain | list | the anchors behind it, up to the head: seq, from, to, blocks, root, atMs\nhead | map | the head that the proof is valid for\nhead.seq | number | its number\nhead.hash | text | in hex"
  },
  "batches.list": {
    "at": "GET /v1/batches",
    "summary": "list batches of jobs, the newest first, with the number of jobs in each state",
    "role": "viewer",
    "reads": "metrics",
    "input": [
      {
        "name": "state",
        "summary": "only batches in this state",
        "choices": [
          "open",
          "sealed",
          "ended"
        ]
      },
      {
        "name": "tenant",
        "summary": "only batches of this tenant"
      },
      {
        "name": "limit",
        "summary": "batches per page, 1 to 100; default 20"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "batches | list | newest first\nbatches[].id | text | its id\nbatches[].tenant | text or null | the tenant of its jobs\nbatches[].state | \"open\", \"sealed\" or \"ended\" | open: it takes further jobs; sealed: it takes none; ended: all jobs have finished\nbatches[].total | number | its jobs, with those that retention has deleted\nbatches[].waiting | number | jobs that are scheduled, ready or parked\nbatches[].running | number | jobs that run now\nbatches[].succeeded | number | jobs that succeeded\nbatches[].dead | number | jobs that were given up\nbatches[].cancelled | number | jobs that were cancelled\nbatches[].purged | number | jobs that were purged\nbatches[].then | text or null | the handler of the job that follows; null: none does\nbatches[].then_job | text or null | id of that job; null: it is not enqueued yet, or none\nbatches[].by | text | who opened it\nbatches[].opened_at | time | when it was opened\nbatches[].sealed_at | time or null | when it was sealed\nbatches[].ended_at | time or null | when it ended\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "batches.show": {
    "at": "GET /v1/batches/:id",
    "summary": "print a batch: its progress, and the job that follows",
    "role": "viewer",
    "reads": "metrics",
    "refusals": {
      "no_match": "there is no batch with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the batch"
      }
    ],
    "json": "id | text | its id\ntenant | text or null | the tenant of its jobs\nstate | \"open\", \"sealed\" or \"ended\" | open: it takes further jobs; sealed: it takes none; ended: all jobs have finished\ntotal | number | its jobs, with those that retention has deleted\nwaiting | number | jobs that are scheduled, ready or parked\nrunning | number | jobs that run now\nsucceeded | number | jobs that succeeded\ndead | number | jobs that were given up\ncancelled | number | jobs that were cancelled\npurged | number | jobs that were purged\nthen | text or null | the handler of the job that follows; null: none does\nthen_job | text or null | id of that job; null: it is not enqueued yet, or none\nby | text | who opened it\nopened_at | time | when it was opened\nsealed_at | time or null | when it was sealed\nended_at | time or null | when it ended"
  },
  "batches.cancel": {
    "at": "POST /v1/batches/:id/cancel",
    "summary": "seal a batch, and cancel its unfinished jobs",
    "role": "operator",
    "details": "A bulk operation, which workers carry out. Running jobs are asked to stop. The batch ends when all jobs have finished, and its `then` job runs with the counts.",
    "acts": true,
    "refusals": {
      "no_match": "there is no batch with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the batch"
      }
    ],
    "json": "batch | text | id of the batch\noperation | text or null | id of the bulk operation that acts on the jobs; null: none was begun\njobs | number | jobs that it acts on, or would; at most 10,000 are counted\nmore | boolean | true: there are more jobs than counted\ndry_run | boolean | true: nothing was changed"
  },
  "batches.retry": {
    "at": "POST /v1/batches/:id/retry",
    "summary": "requeue the dead jobs of a batch",
    "role": "operator",
    "details": "A bulk operation, which workers carry out in stages of 1, 10, 100 and all jobs; it stops if more than a fifth of a stage fails again. The `then` job of a batch that has ended does not run again.",
    "acts": true,
    "refusals": {
      "no_match": "there is no batch with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the batch"
      }
    ],
    "json": "batch | text | id of the batch\noperation | text or null | id of the bulk operation that acts on the jobs; null: none was begun\njobs | number | jobs that it acts on, or would; at most 10,000 are counted\nmore | boolean | true: there are more jobs than counted\ndry_run | boolean | true: nothing was changed"
  },
  "breakers.list": {
    "at": "GET /v1/breakers",
    "summary": "list the breakers, those that are not closed first",
    "role": "viewer",
    "details": "A breaker is listed after its first failure, or after an operator has forced it: a dependency whose calls all succeed is not listed.",
    "reads": "metrics",
    "input": [],
    "json": "breakers | list | not closed first, then by name\nbreakers[].policy_id | text | the dependency: jobs that name it share the breaker\nbreakers[].state | \"closed\", \"open\" or \"half_open\" | the state in force\nbreakers[].failure_count | number | failures in a row\nbreakers[].last_failure_time | time | time of the newest failure; absent: there was none\nbreakers[].last_error | map or null | the newest failure; null: none is known\nbreakers[].last_error.type | text | its type, as the handler named it\nbreakers[].last_error.message | text | its message\nbreakers[].threshold | number | failures in a row that open it\nbreakers[].timeout | number | seconds between two probes, and up to a tenth more\nbreakers[].last_state_change | time | when its state changed last\nbreakers[].redrive | map | additions to the shape of the state\nbreakers[].redrive.schema_version | number | version of this part\nbreakers[].redrive.calls | number | 0: stored breakers count failures in a row\nbreakers[].redrive.isolated | boolean | whether it is forced open\nbreakers[].next_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nbreakers[].probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nbreakers[].failed_probes | number | probes in a row that failed\nbreakers[].forced | map or null | set by an operator; null: the breaker is not forced\nbreakers[].forced.state | \"open\" or \"closed\" | the forced state\nbreakers[].forced.until | time or null | when it ends; null: until it is reset\nbreakers[].forced.since | time | since when\nbreakers[].forced.by | text | who forced it\nbreakers[].forced.why | text or null | the reason that was given\nbreakers[].parked | number | jobs that wait for it, counted up to 10,000\nbreakers[].bounded | boolean | true: more jobs wait for it"
  },
  "breakers.show": {
    "at": "GET /v1/breakers/:dependency",
    "summary": "print one breaker: its state, since when, its failures, the last error, the next probe, parked jobs",
    "role": "viewer",
    "reads": "metrics",
    "refusals": {
      "no_match": "there is no breaker of that name"
    },
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency, as handlers and policies name it"
      }
    ],
    "json": "policy_id | text | the dependency: jobs that name it share the breaker\nstate | \"closed\", \"open\" or \"half_open\" | the state in force\nfailure_count | number | failures in a row\nlast_failure_time | time | time of the newest failure; absent: there was none\nlast_error | map or null | the newest failure; null: none is known\nlast_error.type | text | its type, as the handler named it\nlast_error.message | text | its message\nthreshold | number | failures in a row that open it\ntimeout | number | seconds between two probes, and up to a tenth more\nlast_state_change | time | when its state changed last\nredrive | map | additions to the shape of the state\nredrive.schema_version | number | version of this part\nredrive.calls | number | 0: stored breakers count failures in a row\nredrive.isolated | boolean | whether it is forced open\nnext_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nprobe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nfailed_probes | number | probes in a row that failed\nforced | map or null | set by an operator; null: the breaker is not forced\nforced.state | \"open\" or \"closed\" | the forced state\nforced.until | time or null | when it ends; null: until it is reset\nforced.since | time | since when\nforced.by | text | who forced it\nforced.why | text or null | the reason that was given\nparked | number | jobs that wait for it, counted up to 10,000\nbounded | boolean | true: more jobs wait for it"
  },
  "breakers.force": {
    "at": "POST /v1/breakers/:dependency/force",
    "summary": "force a breaker open or closed, for at most 24 hours; admins also without an end",
    "role": "operator",
    "details": "Open: its jobs are parked, and there is no probe. Closed: all its jobs run, even if they fail, and the parked jobs are released at a growing pace. A dependency without a breaker can be forced, too.",
    "acts": true,
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency, as handlers and policies name it"
      },
      {
        "name": "state",
        "summary": "the state",
        "choices": [
          "open",
          "closed"
        ]
      },
      {
        "name": "for_ms",
        "summary": "for how long, such as 30m; default: until it is reset"
      },
      {
        "name": "until",
        "summary": "until this time, such as 2027-01-31T08:00:00Z"
      }
    ],
    "json": "policy_id | text | the dependency: jobs that name it share the breaker\nstate | \"closed\", \"open\" or \"half_open\" | the state in force\nfailure_count | number | failures in a row\nlast_failure_time | time | time of the newest failure; absent: there was none\nlast_error | map or null | the newest failure; null: none is known\nlast_error.type | text | its type, as the handler named it\nlast_error.message | text | its message\nthreshold | number | failures in a row that open it\ntimeout | number | seconds between two probes, and up to a tenth more\nlast_state_change | time | when its state changed last\nredrive | map | additions to the shape of the state\nredrive.schema_version | number | version of this part\nredrive.calls | number | 0: stored breakers count failures in a row\nredrive.isolated | boolean | whether it is forced open\nnext_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nprobe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nfailed_probes | number | probes in a row that failed\nforced | map or null | set by an operator; null: the breaker is not forced\nforced.state | \"open\" or \"closed\" | the forced state\nforced.until | time or null | when it ends; null: until it is reset\nforced.since | time | since when\nforced.by | text | who forced it\nforced.why | text or null | the reason that was given\nparked | number | jobs that wait for it, counted up to 10,000\nbounded | boolean | true: more jobs wait for it\nexists | boolean | false: the dependency has no breaker; it would be created\nchanged | boolean | false: it was so already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "breakers.halfOpen": {
    "at": "POST /v1/breakers/:dependency/half-open",
    "summary": "probe a dependency now: let one job run",
    "role": "operator",
    "details": "It ends a forced state. A closed breaker is opened by it: other jobs wait until the probe has succeeded.",
    "acts": true,
    "refusals": {
      "no_match": "there is no breaker of that name"
    },
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency, as handlers and policies name it"
      }
    ],
    "json": "policy_id | text | the dependency: jobs that name it share the breaker\nstate | \"closed\", \"open\" or \"half_open\" | the state in force\nfailure_count | number | failures in a row\nlast_failure_time | time | time of the newest failure; absent: there was none\nlast_error | map or null | the newest failure; null: none is known\nlast_error.type | text | its type, as the handler named it\nlast_error.message | text | its message\nthreshold | number | failures in a row that open it\ntimeout | number | seconds between two probes, and up to a tenth more\nlast_state_change | time | when its state changed last\nredrive | map | additions to the shape of the state\nredrive.schema_version | number | version of this part\nredrive.calls | number | 0: stored breakers count failures in a row\nredrive.isolated | boolean | whether it is forced open\nnext_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nprobe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nfailed_probes | number | probes in a row that failed\nforced | map or null | set by an operator; null: the breaker is not forced\nforced.state | \"open\" or \"closed\" | the forced state\nforced.until | time or null | when it ends; null: until it is reset\nforced.since | time | since when\nforced.by | text | who forced it\nforced.why | text or null | the reason that was given\nparked | number | jobs that wait for it, counted up to 10,000\nbounded | boolean | true: more jobs wait for it\nexists | boolean | false: the dependency has no breaker; it would be created\nchanged | boolean | false: it was so already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "breakers.reset": {
    "at": "POST /v1/breakers/:dependency/reset",
    "summary": "close a breaker and set its count of failures to 0",
    "role": "operator",
    "details": "It ends a forced state too. The parked jobs are released at a growing pace.",
    "acts": true,
    "refusals": {
      "no_match": "there is no breaker of that name"
    },
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency, as handlers and policies name it"
      }
    ],
    "json": "policy_id | text | the dependency: jobs that name it share the breaker\nstate | \"closed\", \"open\" or \"half_open\" | the state in force\nfailure_count | number | failures in a row\nlast_failure_time | time | time of the newest failure; absent: there was none\nlast_error | map or null | the newest failure; null: none is known\nlast_error.type | text | its type, as the handler named it\nlast_error.message | text | its message\nthreshold | number | failures in a row that open it\ntimeout | number | seconds between two probes, and up to a tenth more\nlast_state_change | time | when its state changed last\nredrive | map | additions to the shape of the state\nredrive.schema_version | number | version of this part\nredrive.calls | number | 0: stored breakers count failures in a row\nredrive.isolated | boolean | whether it is forced open\nnext_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nprobe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nfailed_probes | number | probes in a row that failed\nforced | map or null | set by an operator; null: the breaker is not forced\nforced.state | \"open\" or \"closed\" | the forced state\nforced.until | time or null | when it ends; null: until it is reset\nforced.since | time | since when\nforced.by | text | who forced it\nforced.why | text or null | the reason that was given\nparked | number | jobs that wait for it, counted up to 10,000\nbounded | boolean | true: more jobs wait for it\nexists | boolean | false: the dependency has no breaker; it would be created\nchanged | boolean | false: it was so already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "causes.list": {
    "at": "GET /v1/causes/rules",
    "summary": "list the rules of causes in force, in the order in which they apply",
    "role": "viewer",
    "details": "Rules of the configuration come first, then those that people set, the oldest first. `yaml` has the rules that people set, as they are written in redrive.yaml.",
    "reads": "metrics",
    "input": [],
    "json": "rules | list | empty: causes are as their messages say\nrules[].name | text | names the rule, to remove it\nrules[].title | text or null | the cause as people read it; null: as it was\nrules[].fingerprints | list of texts | causes that it changes; empty: any\nrules[].handlers | list of texts | patterns of handlers; empty: any\nrules[].types | list of texts | patterns of types of errors; empty: any\nrules[].codes | list of texts | patterns of codes of errors; empty: any\nrules[].messages | list of texts | patterns of messages; empty: any\nrules[].into | text or null | the cause that the failures join; null: that of its name\nrules[].split_by | text or null | message, type, code or handler: a cause for each value; null: none\nrules[].split_pattern | text or null | failures with a message that matches are a cause apart; null: none\nrules[].from_file | boolean | true: it is from the configuration of a worker\nrules[].by | text | who set it\nrules[].why | text or null | the reason that was given\nrules[].set_at | time | when\nmoving | text or null | the bulk operation that moves letters by these rules; null: all have moved\nyaml | text | the section `causes` for redrive.yaml"
  },
  "causes.merge": {
    "at": "POST /v1/causes/merge",
    "summary": "join causes of dead letters in one",
    "role": "operator",
    "details": "New letters follow within a second; a bulk operation moves the others. Acknowledgements, snoozes and owners of their escalations go with them, and nobody is notified. Removing the rule undoes it.",
    "acts": true,
    "refusals": {
      "no_match": "no dead letter has one of the causes",
      "refused": "these are one cause already",
      "conflict": "the beginning of a fingerprint is not unique"
    },
    "input": [
      {
        "name": "causes",
        "summary": "the causes: fingerprints, beginnings of them, or names"
      },
      {
        "name": "into",
        "summary": "the cause that they join: its fingerprint, or a name for a new one, such as card-refused"
      },
      {
        "name": "title",
        "summary": "the cause as people read it; default: that of --into"
      }
    ],
    "json": "rule | map | the rule\nrule.name | text | names the rule, to remove it\nrule.title | text or null | the cause as people read it; null: as it was\nrule.fingerprints | list of texts | causes that it changes; empty: any\nrule.handlers | list of texts | patterns of handlers; empty: any\nrule.types | list of texts | patterns of types of errors; empty: any\nrule.codes | list of texts | patterns of codes of errors; empty: any\nrule.messages | list of texts | patterns of messages; empty: any\nrule.into | text or null | the cause that the failures join; null: that of its name\nrule.split_by | text or null | message, type, code or handler: a cause for each value; null: none\nrule.split_pattern | text or null | failures with a message that matches are a cause apart; null: none\nletters | map | stored letters that move, or would\nletters.count | number | dead letters, counted up to 10,000\nletters.bounded | boolean | true: there are more\nfrom | list | the largest first\nfrom[].fingerprint | text | the cause that they leave\nfrom[].letters | number | letters that move\nto | list | the largest first\nto[].fingerprint | text | the cause that they come to\nto[].pattern | text | the cause as people read it\nto[].letters | number | letters that arrive\nto[].has | map | letters that it has already; 0: it is new\nto[].has.count | number | dead letters, counted up to 10,000\nto[].has.bounded | boolean | true: there are more\noperation | text or null | the bulk operation that moves them; null: none has to move\nhas_worker | boolean | false: they move when a worker runs\ndry_run | boolean | true: nothing was changed"
  },
  "causes.split": {
    "at": "POST /v1/causes/split",
    "summary": "split a cause of dead letters",
    "role": "operator",
    "details": "By message, type, code or handler it makes a cause for each value. By any other text, letters with a message that has this text are a cause apart; * stands for any text.",
    "acts": true,
    "refusals": {
      "no_match": "no dead letter has the cause, or none has the text",
      "conflict": "the beginning of a fingerprint is not unique"
    },
    "input": [
      {
        "name": "cause",
        "summary": "the cause: its fingerprint, the beginning of one, or its name"
      },
      {
        "name": "by",
        "summary": "message, type, code, handler, or a text of messages"
      }
    ],
    "json": "rule | map | the rule\nrule.name | text | names the rule, to remove it\nrule.title | text or null | the cause as people read it; null: as it was\nrule.fingerprints | list of texts | causes that it changes; empty: any\nrule.handlers | list of texts | patterns of handlers; empty: any\nrule.types | list of texts | patterns of types of errors; empty: any\nrule.codes | list of texts | patterns of codes of errors; empty: any\nrule.messages | list of texts | patterns of messages; empty: any\nrule.into | text or null | the cause that the failures join; null: that of its name\nrule.split_by | text or null | message, type, code or handler: a cause for each value; null: none\nrule.split_pattern | text or null | failures with a message that matches are a cause apart; null: none\nletters | map | stored letters that move, or would\nletters.count | number | dead letters, counted up to 10,000\nletters.bounded | boolean | true: there are more\nfrom | list | the largest first\nfrom[].fingerprint | text | the cause that they leave\nfrom[].letters | number | letters that move\nto | list | the largest first\nto[].fingerprint | text | the cause that they come to\nto[].pattern | text | the cause as people read it\nto[].letters | number | letters that arrive\nto[].has | map | letters that it has already; 0: it is new\nto[].has.count | number | dead letters, counted up to 10,000\nto[].has.bounded | boolean | true: there are more\noperation | text or null | the bulk operation that moves them; null: none has to move\nhas_worker | boolean | false: they move when a worker runs\ndry_run | boolean | true: nothing was changed"
  },
  "causes.rename": {
    "at": "POST /v1/causes/rename",
    "summary": "give a cause of dead letters another title",
    "role": "operator",
    "details": "No letter moves. Fingerprint and escalation stay as they are.",
    "acts": true,
    "refusals": {
      "no_match": "no dead letter has the cause",
      "conflict": "the beginning of a fingerprint is not unique"
    },
    "input": [
      {
        "name": "cause",
        "summary": "the cause: its fingerprint, the beginning of one, or its name"
      },
      {
        "name": "title",
        "summary": "the cause as people read it"
      }
    ],
    "json": "rule | map | the rule\nrule.name | text | names the rule, to remove it\nrule.title | text or null | the cause as people read it; null: as it was\nrule.fingerprints | list of texts | causes that it changes; empty: any\nrule.handlers | list of texts | patterns of handlers; empty: any\nrule.types | list of texts | patterns of types of errors; empty: any\nrule.codes | list of texts | patterns of codes of errors; empty: any\nrule.messages | list of texts | patterns of messages; empty: any\nrule.into | text or null | the cause that the failures join; null: that of its name\nrule.split_by | text or null | message, type, code or handler: a cause for each value; null: none\nrule.split_pattern | text or null | failures with a message that matches are a cause apart; null: none\nfingerprint | text | the cause\nwas | text | its title before\ndry_run | boolean | true: nothing was changed"
  },
  "causes.removeRule": {
    "at": "POST /v1/causes/remove-rule",
    "summary": "remove a rule of causes: its letters go back to the causes that they have without it",
    "role": "operator",
    "details": "A rule of the configuration comes back with the next worker that starts with it: remove it there, too.",
    "acts": true,
    "refusals": {
      "no_match": "there is no rule of that name"
    },
    "input": [
      {
        "name": "name",
        "summary": "the name of the rule"
      }
    ],
    "json": "rule | map | the rule\nrule.name | text | names the rule, to remove it\nrule.title | text or null | the cause as people read it; null: as it was\nrule.fingerprints | list of texts | causes that it changes; empty: any\nrule.handlers | list of texts | patterns of handlers; empty: any\nrule.types | list of texts | patterns of types of errors; empty: any\nrule.codes | list of texts | patterns of codes of errors; empty: any\nrule.messages | list of texts | patterns of messages; empty: any\nrule.into | text or null | the cause that the failures join; null: that of its name\nrule.split_by | text or null | message, type, code or handler: a cause for each value; null: none\nrule.split_pattern | text or null | failures with a message that matches are a cause apart; null: none\nletters | map | stored letters that move, or would\nletters.count | number | dead letters, counted up to 10,000\nletters.bounded | boolean | true: there are more\nfrom | list | the largest first\nfrom[].fingerprint | text | the cause that they leave\nfrom[].letters | number | letters that move\nto | list | the largest first\nto[].fingerprint | text | the cause that they come to\nto[].pattern | text | the cause as people read it\nto[].letters | number | letters that arrive\nto[].has | map | letters that it has already; 0: it is new\nto[].has.count | number | dead letters, counted up to 10,000\nto[].has.bounded | boolean | true: there are more\noperation | text or null | the bulk operation that moves them; null: none has to move\nhas_worker | boolean | false: they move when a worker runs\ndry_run | boolean | true: nothing was changed"
  },
  "config.show": {
    "at": "GET /v1/config",
    "summary": "print the values in force and where each came from",
    "role": "viewer",
    "details": "Names and units are those of the file: times are seconds. Passwords are masked.",
    "reads": "metrics",
    "uses": "config",
    "input": [
      {
        "name": "effective",
        "summary": "every value, presets and defaults included; otherwise only those that were set"
      }
    ],
    "json": "file | text or null | the configuration file; null: the presets alone\nversion | text | the version of the file's format\nhash | text | SHA-256 of all values in force\nvalues | list | one per value, in the order of the file format\nvalues[].path | text | the keys that lead to it, with dots\nvalues[].group | text | the beginning of the path: a policy, the mappings, a section\nvalues[].value | any | any JSON, in the unit of the file; null is \"no limit\"\nvalues[].unit | \"seconds\" or null | unit of a number\nvalues[].source | \"flag\", \"environment\", \"file\", \"preset\" or \"default\" | the kind of source: flag, environment, file, preset or default\nvalues[].where | text | the source: `redrive.yaml:12`, a variable, a preset\nvalues[].served_by | text or null | of a mapping to a policy that the file lacks: the policy that is used instead"
  },
  "config.validate": {
    "at": "POST /v1/config/validate",
    "summary": "check a text as a configuration, without the environment; changes nothing",
    "role": "viewer",
    "details": "Warnings do not make a file invalid. Every code is explained in docs/reference/configuration.md.",
    "uses": "config",
    "input": [
      {
        "name": "text",
        "summary": "the text of the file"
      },
      {
        "name": "file",
        "summary": "the name of the file, for its problems"
      }
    ],
    "json": "valid | boolean | true: no errors; there may be warnings\nproblems | list | all problems, in the order of the file\nproblems[].severity | \"error\" or \"warning\" | a file with an error is not valid; a file with warnings is\nproblems[].code | text | the kind of problem; a fixed text\nproblems[].path | text | the keys that lead there, with dots; \"\" is the whole file\nproblems[].line | number | from 1\nproblems[].column | number | from 1, in characters\nproblems[].message | text | the fault, in a sentence\nproblems[].suggestion | text or null | the remedy; null: none is known\nproblems[].file | text or null | the file, variable or flag that has the problem"
  },
  "deadLetters.list": {
    "at": "GET /v1/dead-letters",
    "summary": "list dead letters, the newest death first",
    "role": "viewer",
    "details": "Their number is counted up to 10,000. With a filter that no index serves, a page looks at 20,000 letters at most, so it can have fewer letters than its limit and still have a `next`.",
    "reads": "sessions",
    "input": [
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "letters | list | newest death first\nletters[].id | text | sorts by time of creation\nletters[].handler | text | the handler of the job\nletters[].subsystem | text | the first part of the handler's name\nletters[].state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\nletters[].queue | text | the queue\nletters[].tenant | text or null | the tenant of the job; tenants take turns\nletters[].priority | number | higher first\nletters[].tags | list of texts | texts\nletters[].retry_count | number | retries after charged attempts; 0 again after success\nletters[].next_retry_at | time or null | when a scheduled or parked job is due\nletters[].error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\nletters[].reason | text or null | reason code of the current state\nletters[].cause | text or null | what a parked job waits for\nletters[].submitted_at | time | when it was enqueued\nletters[].submitted_date | time | the same time\nletters[].deadline | time or null | no attempt starts after it\nletters[].finished_at | time or null | when it finished\nletters[].generation | number | from 1; each requeue increments it\nletters[].attempts_made | number | attempts in this generation, the running one included\nletters[].worker | text or null | the worker that runs it now\nletters[].cancel_requested | boolean | true: the job runs, and a cancellation was requested\nletters[].session_id | text | the id of the job, or of the call that handed it over\nletters[].correlation_id | text | as given, else the session id\nletters[].policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\nletters[].batch | text or null | id of the batch that counts it\nletters[].unique_key | text or null | the unique key: at most one unfinished job has it\nletters[].last_error | map or null | the newest attempt's error\nletters[].last_error.type | text | its type\nletters[].last_error.message | text | its message\nletters[].fingerprint | text or null | fingerprint of its cause, for --group\nletters[].came_back | boolean | true: it was requeued, and died again\ntotal | map | of all pages\ntotal.count | number | dead letters, up to the counting limit\ntotal.bounded | boolean | true: there are more, or may be\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "deadLetters.groups": {
    "at": "GET /v1/dead-letters/groups",
    "summary": "list the causes of dead letters, the one with the newest death first",
    "role": "viewer",
    "details": "Errors that differ only in numbers, ids, addresses, times and quoted texts have one cause; numbers that carry a meaning count, such as the status of HTTP or the reply code of a mail server. Each is counted up to 10,000, and has the message of its newest letter, the handlers of its newest 100 letters and the next command to type.",
    "reads": "sessions",
    "input": [
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "number of causes, 1 to 100; default 20"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "groups | list | newest death first\ngroups[].fingerprint | text | for --group\ngroups[].pattern | text | the error text, without the parts that differ from case to case\ngroups[].count | number | dead letters, up to the counting limit\ngroups[].bounded | boolean | true: there are more\ngroups[].first_died_at | time | the first death\ngroups[].last_died_at | time | the newest death\ngroups[].newest_id | text | id of the letter that died last\ngroups[].handlers | list of texts | handlers of its newest letters, by name\ngroups[].reason_codes | list of texts | reason codes of these letters\ngroups[].sampled | number | its newest letters that were looked at\ngroups[].came_back | number | of these, letters that were requeued and died again\ngroups[].trend | list | deaths of these letters in each of the last 24 hours, the oldest first\ngroups[].last_message | list | the message of the newest letter, in parts; empty: there is none\ngroups[].last_message[].text | text | a part, secrets masked\ngroups[].last_message[].varies | boolean | true: it differs from case to case, and the cause ignores it\ngroups[].next | text | the next command to type\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "deadLetters.stats": {
    "at": "GET /v1/dead-letters/stats",
    "summary": "count dead letters by reason, handler, cause and time",
    "role": "viewer",
    "details": "Counting stops at 10,000, for each hour and day as well; reasons and handlers are those of the newest 10,000.",
    "reads": "metrics",
    "input": [
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      }
    ],
    "json": "total | map | dead letters\ntotal.count | number | dead letters, up to the counting limit\ntotal.bounded | boolean | true: there are more, or may be\noldest_died_at | time or null | the first death\noldest_id | text or null | of that one\nnewest_died_at | time or null | the newest death\ntallied | number | number of newest letters that the next fields cover\ncame_back | number | of these, letters that were requeued and died again\nreasons | list | of these letters, the most frequent first\nreasons[].reason | text | a reason code\nreasons[].count | number | how many\nhandlers | list | of these letters, the most frequent first\nhandlers[].handler | text | its name\nhandlers[].count | number | how many\ncauses | list | at most 10, the newest death first\ncauses[].fingerprint | text | for --group\ncauses[].pattern | text | the error text, without the parts that differ from case to case\ncauses[].count | number | dead letters, up to the counting limit\ncauses[].bounded | boolean | true: there are more\ncauses[].first_died_at | time | the first death\ncauses[].last_died_at | time | the newest death\ncauses[].newest_id | text | id of the letter that died last\ncauses[].handlers | list of texts | handlers of its newest letters, by name\ncauses[].reason_codes | list of texts | reason codes of these letters\ncauses[].sampled | number | its newest letters that were looked at\ncauses[].came_back | number | of these, letters that were requeued and died again\ncauses[].trend | list | deaths of these letters in each of the last 24 hours, the oldest first\ncauses[].last_message | list | the message of the newest letter, in parts; empty: there is none\ncauses[].last_message[].text | text | a part, secrets masked\ncauses[].last_message[].varies | boolean | true: it differs from case to case, and the cause ignores it\ncauses[].next | text | the next command to type\nper_hour | list | the last 24 hours, the oldest first\nper_hour[].from | time | its beginning, UTC\nper_hour[].count | number | dead letters, up to the counting limit\nper_hour[].bounded | boolean | true: there are more, or may be\nper_day | list | the last 14 days, the oldest first\nper_day[].from | time | its beginning, UTC\nper_day[].count | number | dead letters, up to the counting limit\nper_day[].bounded | boolean | true: there are more, or may be"
  },
  "deadLetters.causes": {
    "at": "GET /v1/dead-letters/causes",
    "summary": "compare dead letters of each cause with jobs that succeeded",
    "role": "viewer",
    "details": "For each group of \"redrive dlq groups\" it names the handler, queue, tenant, collection, worker, policy version, payload kind or hour of the first attempt, or a pair of these, that sets its dead letters apart from jobs that succeeded. The filters handler, queue, tenant and tag select the succeeded jobs too. It looks at the newest 20,000 dead letters, and at up to 20,000 succeeded jobs that were submitted in the same hours. If more jobs succeeded, only jobs that were submitted in some minutes of that time are compared, evenly over it. A cause has at least 5 dead letters, at least twice the odds of failing, and a score above 2 ln(n / 0.01), where n is the number of values and pairs in the group: about one in 100 groups without a cause gets one by chance. The score is the G statistic of the four counts, less 6 for a pair.",
    "reads": "sessions",
    "input": [
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "number of groups, 1 to 100; default 20"
      }
    ],
    "json": "looked_at | map | how many jobs were compared\nlooked_at.letters | map | the newest ones\nlooked_at.letters.count | number | dead letters, up to the counting limit\nlooked_at.letters.bounded | boolean | true: there are more, or may be\nlooked_at.succeeded | map | jobs that succeeded\nlooked_at.succeeded.count | number | jobs\nlooked_at.succeeded.bounded | boolean | true: there are more, so only jobs of some minutes of the window are compared\nwindow | map | the jobs were submitted in this time\nwindow.from | time or null | its beginning; null: no dead letter matches\nwindow.to | time or null | its end\ngroups | list | the largest first\ngroups[].fingerprint | text | for --group\ngroups[].pattern | text | the error text, without the parts that differ from case to case\ngroups[].count | number | dead letters\ngroups[].compared | number | of these, letters that were compared\ngroups[].causes | list | at most 3, the best first; empty: nothing sets the group apart\ngroups[].causes[].values | list | one value, or a pair\ngroups[].causes[].values[].dimension | text | handler, queue, tenant, collection, worker, policy_version, payload_kind or hour\ngroups[].causes[].values[].value | text | the value\ngroups[].causes[].letters | map | dead letters of the group\ngroups[].causes[].letters.with | number | with this value, or both\ngroups[].causes[].letters.without | number | the others\ngroups[].causes[].succeeded | map | succeeded jobs\ngroups[].causes[].succeeded.with | number | with this value, or both\ngroups[].causes[].succeeded.without | number | the others\ngroups[].causes[].g | number | the G statistic of these four counts\ngroups[].causes[].score | number | g, less 6 for a pair\ngroups[].suggestion | text or null | what to look at first\ngroups[].next | text | the next command to type\nmore_groups | number | smaller groups that are left out"
  },
  "deadLetters.payload": {
    "at": "GET /v1/dead-letters/:id/payload",
    "summary": "the whole payload of a dead letter as text, with all digits of its numbers",
    "role": "viewer",
    "reads": "payloads",
    "refusals": {
      "no_match": "there is no dead letter with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the dead letter"
      },
      {
        "name": "payload",
        "summary": "redacted (secrets masked, cut) or full; default redacted",
        "choices": [
          "redacted",
          "full"
        ]
      }
    ],
    "json": "text | text | the payload\nkind | \"json\" or \"bytes\" | a binary payload is shown as JSON, in base64\ngeneration | number | attempts of this generation ran with it"
  },
  "deadLetters.show": {
    "at": "GET /v1/dead-letters/:id",
    "summary": "print a dead letter: why it died, what to do next, every attempt, its payload",
    "role": "viewer",
    "details": "Payloads that edits have replaced are shown as well.",
    "reads": "payloads",
    "refusals": {
      "no_match": "there is no dead letter with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the dead letter"
      },
      {
        "name": "payload",
        "summary": "payload and headers: none, redacted (secrets masked, cut) or full; default redacted",
        "choices": [
          "none",
          "redacted",
          "full"
        ]
      }
    ],
    "json": "original_event | any | the payload: masked and cut, unless --payload says otherwise\nidempotency_key | text | the key that the handler passed on\nattempt_count | number | charged attempts of this generation, over all rungs\nlast_error | text | type and message of the newest error\nerror_type | text | its type\nabandoned_reason | \"max_attempts_exceeded\", \"ttl_exceeded\" or \"non_retryable\" | why it was given up\nservice_name | text | the first part of the handler's name\ntimestamp | time | when it was given up\nredrive | map | further fields: see [dead letters](dead-letters.md#the-envelope)\nredrive.schema_version | \"dead-letter/v1\" | version of this part\nredrive.id | text | id of the dead letter\nredrive.session_id | text | the session\nredrive.correlation_id | text | as given, else the session\nredrive.trace_id | text or null | as given\nredrive.reason_code | text or null | why it was given up, in detail\nredrive.metric_reason | \"max_attempts\", \"ttl_exceeded\" or \"non_retryable\" | the label of the metric that counts dead letters\nredrive.error_class | text or null | final, retryable or rate_limited\nredrive.fingerprint | text | the cause: the same for all letters of a group\nredrive.pattern | text | its error text, without the parts that differ\nredrive.origin | map | where it came from\nredrive.origin.rung | text | call, event, job or document\nredrive.origin.bus | text or null | the bus it came from\nredrive.origin.queue | text | the queue\nredrive.origin.handler | text | the handler\nredrive.origin.tenant | text or null | the tenant\nredrive.policy | map or null | of the newest attempt; null: there was none\nredrive.policy.id | text or null | name of the policy\nredrive.policy.hash | text | the version of the policy\nredrive.policy.max_attempts | number | of that version\nredrive.generation | number | from 1; each requeue increments it\nredrive.executions | number | attempts of all generations and rungs\nredrive.submitted_at | time | when it was enqueued\nredrive.first_failed_at | time or null | the first failure that is kept\nredrive.deadline | time or null | no attempt started after it\nredrive.attempts | list | the first attempt and the newest ones, the oldest first\nredrive.attempts[].attempt_number | number | in its generation, from 1, over all rungs\nredrive.attempts[].generation | number | its generation\nredrive.attempts[].rung | text | where it ran: job, or call before it was handed over\nredrive.attempts[].timestamp | time | when it started\nredrive.attempts[].delay | number | the wait before it, in seconds\nredrive.attempts[].duration | number | in seconds\nredrive.attempts[].entry | text | whether the attempt counts: its entry in the attempt account\nredrive.attempts[].error_class | text or null | what kind of error\nredrive.attempts[].reason | text | why: a reason code\nredrive.attempts[].next_delay | number or null | the wait that followed, in seconds\nredrive.attempts[].error | map or null | sanitised; null: it succeeded\nredrive.attempts[].error.type | text | its type\nredrive.attempts[].error.message | text | its message\nredrive.omitted_attempts | number | attempts that are not in the list\nredrive.payload | map | how the payload is shown\nredrive.payload.shown | \"none\", \"redacted\" or \"full\" | how it is shown\nredrive.payload.kind | \"json\" or \"bytes\" | a binary payload is shown in base64\nredrive.payload.bytes | number | its size\nredrive.headers | any | shown as the payload is\nredrive.send_back | map | the command that requeues it\nredrive.send_back.id | text | id of the dead letter\nredrive.send_back.generation | number | it must still be in this generation\nredrive.send_back.command | text | the command line\nstate | \"dead\" or \"purged\" | purged: deleted, and can still be restored\ncame_back | boolean | true: it was requeued, and died again\nsame_cause | map | dead letters of the same cause, itself included\nsame_cause.count | number | dead letters, up to the counting limit\nsame_cause.bounded | boolean | true: there are more, or may be\npayload_text | map or null | the payload as text, with all digits of its numbers; null: it is not shown\npayload_text.text | text | its first 64 KiB\npayload_text.characters | number | of the whole text\nearlier_payloads | list | those that edits have replaced, the oldest first\nearlier_payloads[].generation | number | attempts that ran with it\nearlier_payloads[].replaced_at | time | when it was replaced\nearlier_payloads[].by | text | who replaced it\nearlier_payloads[].payload | any | shown as the payload is\nearlier_payloads[].payload_text | map or null | the same as text\nearlier_payloads[].payload_text.text | text | its first 64 KiB\nearlier_payloads[].payload_text.characters | number | of the whole text\njob | map | the job that died\njob.id | text | sorts by time of creation\njob.handler | text | the handler of the job\njob.subsystem | text | the first part of the handler's name\njob.state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\njob.queue | text | the queue\njob.tenant | text or null | the tenant of the job; tenants take turns\njob.priority | number | higher first\njob.tags | list of texts | texts\njob.retry_count | number | retries after charged attempts; 0 again after success\njob.next_retry_at | time or null | when a scheduled or parked job is due\njob.error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\njob.reason | text or null | reason code of the current state\njob.cause | text or null | what a parked job waits for\njob.submitted_at | time | when it was enqueued\njob.submitted_date | time | the same time\njob.deadline | time or null | no attempt starts after it\njob.finished_at | time or null | when it finished\njob.generation | number | from 1; each requeue increments it\njob.attempts_made | number | attempts in this generation, the running one included\njob.worker | text or null | the worker that runs it now\njob.cancel_requested | boolean | true: the job runs, and a cancellation was requested\njob.session_id | text | the id of the job, or of the call that handed it over\njob.correlation_id | text | as given, else the session id\njob.policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\njob.batch | text or null | id of the batch that counts it\njob.unique_key | text or null | the unique key: at most one unfinished job has it\njob.last_error | map or null | the newest attempt's error\njob.last_error.type | text | its type\njob.last_error.message | text | its message\njob.own_policy | text or null | the policy that the job itself names, or the version of one that it has for itself\njob.own_max_attempts | number or null | the number of attempts that it was enqueued with; null: that of its policy\njob.account | object | attempts of this generation by outcome: succeeded, failed, rate_limited, …\njob.executions | number | attempts of all generations and rungs\njob.charged | number | attempts of this generation that count, the one that succeeded included\njob.losses | number | leases that it lost in a row\njob.attempts | list | the first attempt and the newest ones, the oldest first\njob.attempts[].attempt_number | number | in its generation, from 1, over all rungs\njob.attempts[].generation | number | its generation\njob.attempts[].rung | text | where it ran: job, or call before it was handed over\njob.attempts[].timestamp | time | when it started\njob.attempts[].delay | number | the wait before it, in seconds\njob.attempts[].duration | number | in seconds\njob.attempts[].success | boolean | true: it succeeded\njob.attempts[].error | map or null | sanitised\njob.attempts[].error.type | text | its type\njob.attempts[].error.message | text | its message\njob.attempts[].error.stack_trace | text or null | null: it is not known\njob.attempts[].error_class | text or null | what kind of error\njob.attempts[].action | text | what was decided: succeed, retry, hand-over, park or give-up\njob.attempts[].reason | text | why: a reason code\njob.attempts[].entry | text | whether the attempt counts: its entry in the attempt account\njob.attempts[].next_delay | number or null | the wait that followed, in seconds\njob.attempts[].worker | text | the worker that ran it\njob.attempts[].probe | boolean | true: the probe of an open breaker, not charged if it fails\njob.attempts[].policy_id | text or null | name of the policy\njob.attempts[].policy_hash | text | the version of the policy\njob.attempts[].max_attempts | number | of that version\njob.omitted_attempts | number | attempts that are not in the list; the audit log has them\njob.lease | map or null | null: it does not run\njob.lease.worker | text | the worker that runs it\njob.lease.since | time | when it was claimed\njob.lease.until | time | when another worker may take it\njob.lease.alone | boolean | true: the worker runs no other job at the same time\njob.lease.progress | map or null | of the attempt; null: it has reported none\njob.lease.progress.fraction | number | from 0 to 1\njob.lease.progress.note | text or null | in words; null: none was given\njob.lease.progress.since | time | since when it has been the same\njob.origin | map or null | the source that it came from; null: it was enqueued\njob.origin.rung | text | event or document\njob.origin.bus | text or null | the bus\njob.origin.source | text | the source\njob.trace_id | text or null | as given\njob.parent_id | text or null | the job whose attempt or death enqueued this one; null: none did\njob.leads_to | map | jobs that its attempts have enqueued, and the hooks of its deaths\njob.leads_to.count | number | their number\njob.leads_to.ids | list of texts | the first ones, at most 20\njob.on_dead | text or null | the handler that gets a job when this one dies; null: none\njob.idempotency_key | text | the key that the handler passes on\njob.limit_key | text or null | jobs with the same key share a limit\njob.policy_hash | text or null | of the running or newest attempt\njob.max_attempts | number or null | of the newest attempt's policy\njob.revision | number | number of state changes\njob.token | number | of its newest lease"
  },
  "deadLetters.edit": {
    "at": "POST /v1/dead-letters/:id/edit",
    "summary": "requeue a dead letter with another payload; the old one is kept",
    "role": "admin",
    "acts": true,
    "reason": true,
    "verdict": true,
    "refusals": {
      "no_match": "there is no dead letter with that id",
      "refused": "the payload is binary, or too large",
      "conflict": "the letter was changed in the meantime, or the id belongs to another operation"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the dead letter"
      },
      {
        "name": "generation",
        "summary": "the edit is refused if the letter is no longer in this generation"
      },
      {
        "name": "payload",
        "summary": "the new payload"
      },
      {
        "name": "payload_text",
        "summary": "instead of `payload`: JSON whose numbers keep all their digits"
      },
      {
        "name": "operation",
        "summary": "id of the bulk operation; the same id again continues it and repeats nothing; default: a new id"
      }
    ],
    "json": "act | text | requeue, reset, purge, restore or cancel\noperation | text or null | id of the bulk operation; null: nothing was begun\ndone | number | letters that were changed, or would be\nrefused | number | letters that were refused, or would be\nrefusals | list | the first 100 refused letters, each with `id`, `refusal` and a `note` in words\nrefusals[].id | text | its id\nrefusals[].refusal | text | why: not_found, illegal (its state does not allow it), unique_conflict or changed\nrefusals[].note | text | the same in words\nfinished | boolean | false: it still runs, was stopped, or is a dry run\nstate | text or null | running, paused, stopped (by its ramp), aborted or finished; null: nothing was begun\nin_flight | number or null | jobs that were requeued and have made no attempt yet; null: results are not observed\nsucceeded | number or null | jobs whose first attempt succeeded; null: results are not observed\ncame_back | number or null | jobs whose first attempt failed; null: results are not observed\nalready_done | boolean | true: an earlier submission did it, and nothing was changed now\nmore | boolean | true: more letters match the filter than the plan contains\ncut_off | time or null | letters that died at this time or later are left out; null: there was no plan\nrestorable_until | time or null | purge only: the letters can be restored until then\nplan | map or null | of a filter, or of a dry run; null: none was made\nplan.done | number | letters that would be changed\nplan.refused | number | letters that would be refused\nplan.refusals | list | the first 100 of them\nplan.refusals[].id | text | its id\nplan.refusals[].refusal | text | why: not_found, illegal (its state does not allow it), unique_conflict or changed\nplan.refusals[].note | text | the same in words\nplan.sample_ids | list of texts | the first ten that would be changed\nplan.more | boolean | true: more letters match the filter than the plan contains\nplan.cut_off | time or null | letters that died at this time or later are left out; null: there was no plan\nplan.stopped_by | list | requeue only: what will keep some of the jobs from starting\nplan.stopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nplan.stopped_by[].what | text | what stops them, in words\nplan.stopped_by[].since | time or null | since when; null: not known\nplan.stopped_by[].by | text or null | who stopped them; null: no person\nplan.stopped_by[].why | text or null | the reason that was given\nplan.stopped_by[].next | text | the command that lets them start\nstopped_by | list | requeue only: what keeps some of the jobs from starting\nstopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nstopped_by[].what | text | what stops them, in words\nstopped_by[].since | time or null | since when; null: not known\nstopped_by[].by | text or null | who stopped them; null: no person\nstopped_by[].why | text or null | the reason that was given\nstopped_by[].next | text | the command that lets them start\nwithout_stages | boolean | true: without a worker no stage gets its results, so the stages were left out\nstatus | map or null | the stored bulk operation; null: nothing was begun\nstatus.id | text | its id\nstatus.act | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstatus.state | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nstatus.by | text | the operator who started it\nstatus.why | text or null | the reason that was given then\nstatus.changes | list | its start, then the newest changes of its state until it finished, the oldest first\nstatus.changes[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nstatus.changes[].at | time or null | since when; null: not known\nstatus.changes[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nstatus.changes[].why | text or null | the reason that was given\nstatus.started_at | time or null | when it was started; null: not known\nstatus.updated_at | time or null | time of its newest step; null: not known\nstatus.done | number | jobs that were changed\nstatus.refused | number | jobs whose state did not allow it\nstatus.total | number or null | jobs in all; null: not known\nstatus.total_bounded | boolean | true: there are more than `total`\nstatus.followed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nstatus.in_flight | number | jobs that were requeued and have made no attempt yet\nstatus.succeeded | number | requeued jobs whose first attempt succeeded\nstatus.came_back | number | requeued jobs whose first attempt failed\nstatus.rate | number or null | jobs per second at most; null: no limit\nstatus.max_in_flight | number or null | null: no limit\nstatus.ramp | map or null | its stages; null: it has none\nstatus.ramp.stages | list | the sizes of its stages\nstatus.ramp.stop_share | number | it stops if a larger share of a stage fails again\nstatus.ramp.stage | number | the current stage, from 1\nstatus.ramp.sent | number | jobs of this stage that were sent\nstatus.ramp.succeeded | number | of these, those that succeeded\nstatus.ramp.came_back | number | of these, those that failed again\nstatus.in_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nstatus.runner | text or null | the process that carries it out; null: none at the moment\nstatus.has_worker | boolean or null | whether a live worker could carry it out; null: not known\nstatus.time_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nstatus.request | object | the stored request: the act and its target\ndry_run | boolean | true: nothing was changed"
  },
  "deadLetters.export": {
    "at": "GET /v1/dead-letters/export",
    "summary": "dead letters as JSON lines, the newest death first",
    "role": "viewer",
    "reads": "payloads",
    "exports": true,
    "streams": true,
    "input": [
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "payload",
        "summary": "payload and headers: none, redacted (secrets masked, cut) or full; default redacted",
        "choices": [
          "none",
          "redacted",
          "full"
        ]
      },
      {
        "name": "limit",
        "summary": "at most this many letters; default 10,000"
      }
    ],
    "json": "original_event | any | the payload: masked and cut, unless --payload says otherwise\nidempotency_key | text | the key that the handler passed on\nattempt_count | number | charged attempts of this generation, over all rungs\nlast_error | text | type and message of the newest error\nerror_type | text | its type\nabandoned_reason | \"max_attempts_exceeded\", \"ttl_exceeded\" or \"non_retryable\" | why it was given up\nservice_name | text | the first part of the handler's name\ntimestamp | time | when it was given up\nredrive | map | further fields: see [dead letters](dead-letters.md#the-envelope)\nredrive.schema_version | \"dead-letter/v1\" | version of this part\nredrive.id | text | id of the dead letter\nredrive.session_id | text | the session\nredrive.correlation_id | text | as given, else the session\nredrive.trace_id | text or null | as given\nredrive.reason_code | text or null | why it was given up, in detail\nredrive.metric_reason | \"max_attempts\", \"ttl_exceeded\" or \"non_retryable\" | the label of the metric that counts dead letters\nredrive.error_class | text or null | final, retryable or rate_limited\nredrive.fingerprint | text | the cause: the same for all letters of a group\nredrive.pattern | text | its error text, without the parts that differ\nredrive.origin | map | where it came from\nredrive.origin.rung | text | call, event, job or document\nredrive.origin.bus | text or null | the bus it came from\nredrive.origin.queue | text | the queue\nredrive.origin.handler | text | the handler\nredrive.origin.tenant | text or null | the tenant\nredrive.policy | map or null | of the newest attempt; null: there was none\nredrive.policy.id | text or null | name of the policy\nredrive.policy.hash | text | the version of the policy\nredrive.policy.max_attempts | number | of that version\nredrive.generation | number | from 1; each requeue increments it\nredrive.executions | number | attempts of all generations and rungs\nredrive.submitted_at | time | when it was enqueued\nredrive.first_failed_at | time or null | the first failure that is kept\nredrive.deadline | time or null | no attempt started after it\nredrive.attempts | list | the first attempt and the newest ones, the oldest first\nredrive.attempts[].attempt_number | number | in its generation, from 1, over all rungs\nredrive.attempts[].generation | number | its generation\nredrive.attempts[].rung | text | where it ran: job, or call before it was handed over\nredrive.attempts[].timestamp | time | when it started\nredrive.attempts[].delay | number | the wait before it, in seconds\nredrive.attempts[].duration | number | in seconds\nredrive.attempts[].entry | text | whether the attempt counts: its entry in the attempt account\nredrive.attempts[].error_class | text or null | what kind of error\nredrive.attempts[].reason | text | why: a reason code\nredrive.attempts[].next_delay | number or null | the wait that followed, in seconds\nredrive.attempts[].error | map or null | sanitised; null: it succeeded\nredrive.attempts[].error.type | text | its type\nredrive.attempts[].error.message | text | its message\nredrive.omitted_attempts | number | attempts that are not in the list\nredrive.payload | map | how the payload is shown\nredrive.payload.shown | \"none\", \"redacted\" or \"full\" | how it is shown\nredrive.payload.kind | \"json\" or \"bytes\" | a binary payload is shown in base64\nredrive.payload.bytes | number | its size\nredrive.headers | any | shown as the payload is\nredrive.send_back | map | the command that requeues it\nredrive.send_back.id | text | id of the dead letter\nredrive.send_back.generation | number | it must still be in this generation\nredrive.send_back.command | text | the command line"
  },
  "doctor.check": {
    "at": "GET /v1/doctor",
    "summary": "check store, schema, disk, clocks, workers, schedules, brokers and databases",
    "role": "viewer",
    "details": "As \"redrive doctor\" on the machine of the server, without the reading of all rows.",
    "reads": "metrics",
    "input": [],
    "json": "store | text or null | the store, without credentials; null: it could not be opened\nok | boolean | there is no problem; there may be warnings\njobs_read | number | rows of jobs that were read\nput_back | list of texts | ids of jobs that were put back\nchecks | list | all checks\nchecks[].name | text | lints, store, schema, durability, disk, clock, rows, future_due, unsealed, policies, workers, schedules, buses, sweeps or ports\nchecks[].result | \"ok\", \"warning\", \"problem\" or \"skipped\" | skipped: the store or the configuration that it needs is missing\nfindings | list | problems and warnings\nfindings[].check | text | the name of the check; of rows: unreadable_row or set_aside\nfindings[].level | \"problem\" or \"warning\" | a problem makes the exit code 1\nfindings[].message | text | what is wrong\nfindings[].remedy | text | what to do: mostly a command\nfindings[].jobs | list of texts | ids of the jobs concerned"
  },
  "documents.list": {
    "at": "GET /v1/documents",
    "summary": "list failed documents, the oldest attempt first",
    "role": "viewer",
    "reads": "sessions",
    "verdict": true,
    "refusals": {
      "no_match": "no collection is swept, or none of that name"
    },
    "input": [
      {
        "name": "collection",
        "summary": "one collection; all without one"
      },
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "documents | list | by collection, the oldest attempt first\ndocuments[].collection | text | its collection\ndocuments[].id | text | its id\ndocuments[].status | text | its status\ndocuments[].attempt_count | number, text or null | its count of attempts; a text: it is no number; null: there is none\ndocuments[].last_attempt_time | time or null | its last attempt; null: none, or not a time\ndocuments[].never_attempted | boolean | true: it has no time of a last attempt\ndocuments[].error | text or null | the last error that its owner kept\ndocuments[].dead_letter | text or null | the dead letter of it\ncollections | list | collections that were looked at; empty: none is swept\ncollections[].name | text | its name\ncollections[].stuck_threshold_ms | number | how old the last attempt must be before a sweep sends the event again\ncollections[].max_attempts | number | attempts after which a document is failed\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "documents.reset": {
    "at": "POST /v1/documents/:collection/reset",
    "summary": "make failed documents pending again, as never attempted: the next sweep sends them",
    "role": "operator",
    "details": "To send their events at a rate and in stages, requeue their dead letters: \"redrive dlq requeue --handler documents.<collection> --rate 50/s\". That resets each document and sends its event.",
    "acts": true,
    "reason": true,
    "refusals": {
      "no_match": "no document is failed",
      "refused": "the confirmation (--yes) is missing"
    },
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "ids",
        "summary": "ids of failed documents; other documents are left as they are"
      },
      {
        "name": "all",
        "summary": "confirm without ids: all failed documents"
      }
    ],
    "json": "collection | text | its name\nact | \"reset\", \"archive\" or \"purge\" | what was done\ndone | number | documents that were changed, or would be\nleft | number | documents that were not failed any more\ndry_run | boolean | true: nothing was changed"
  },
  "documents.archive": {
    "at": "POST /v1/documents/:collection/archive",
    "summary": "move failed documents to <collection>_dead_letters",
    "role": "admin",
    "acts": true,
    "reason": true,
    "refusals": {
      "no_match": "no document is failed",
      "refused": "the confirmation (--yes) is missing"
    },
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "ids",
        "summary": "ids of failed documents; other documents are left as they are"
      },
      {
        "name": "all",
        "summary": "confirm without ids: all failed documents"
      }
    ],
    "json": "collection | text | its name\nact | \"reset\", \"archive\" or \"purge\" | what was done\ndone | number | documents that were changed, or would be\nleft | number | documents that were not failed any more\ndry_run | boolean | true: nothing was changed"
  },
  "documents.purge": {
    "at": "POST /v1/documents/:collection/purge",
    "summary": "delete failed documents for good",
    "role": "admin",
    "details": "It cannot be undone. Export or archive first.",
    "acts": true,
    "reason": true,
    "refusals": {
      "no_match": "no document is failed",
      "refused": "the confirmation (--confirm) is missing"
    },
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "ids",
        "summary": "ids of failed documents; other documents are left as they are"
      },
      {
        "name": "all",
        "summary": "confirm without ids: all failed documents"
      },
      {
        "name": "confirm",
        "summary": "the name of the collection again: without it, only the number is printed"
      }
    ],
    "json": "collection | text | its name\nact | \"reset\", \"archive\" or \"purge\" | what was done\ndone | number | documents that were changed, or would be\nleft | number | documents that were not failed any more\ndry_run | boolean | true: nothing was changed"
  },
  "escalations.list": {
    "at": "GET /v1/escalations",
    "summary": "list causes and collections that fail, the highest tier first",
    "role": "viewer",
    "details": "The tier follows from age and state: 1 is retried automatically, 2 is stuck for 24 hours or many are, 3 has used up its retries, 4 is for the engineering lead. Tiers, owners and times come from escalation of redrive.yaml. Collections are listed as the last sweep counted them.",
    "reads": "metrics",
    "input": [],
    "json": "escalations | list | the highest tier first\nescalations[].key | text | the name of a collection, or the fingerprint of a cause\nescalations[].kind | \"collection\" or \"cause\" | which of the two\nescalations[].title | text | the pattern of the errors, or the name of the collection\nescalations[].tier | number | 1 to 4; 0: nothing is wrong any more\nescalations[].stuck | number | items that are retried or parked\nescalations[].failed | number | items whose retries are used up\nescalations[].bounded | boolean | true: there are more than were counted\nescalations[].stuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nescalations[].owner | text | who was assigned, or the owner of the tier\nescalations[].next_tier | number or null | the next tier, if nothing but time changes; null: none\nescalations[].next_tier_at | time or null | when it has that tier\nescalations[].since | time or null | since when it has acts or notifications; null: none\nescalations[].notified_tier | number | the tier of the last notification; 0: none\nescalations[].notified | time or null | when that tier was reached\nescalations[].respond_by | time or null | the time for a response; null: none is due\nescalations[].resolve_by | time or null | the time until all must be resolved; null: no limit\nescalations[].overdue | \"response\", \"resolution\" or null | which of the two has passed\nescalations[].acknowledged_by | text or null | who acknowledged it\nescalations[].acknowledged_tier | number or null | the tier that was acknowledged\nescalations[].snoozed_until | time or null | no notification until then\nescalations[].decision | \"requeue\", \"purge\", \"leave\" or null | the decision\nescalations[].decided_by | text or null | who decided\nescalations[].decision_why | text or null | the reason of the decision\nmore | boolean | true: there are more causes than were read"
  },
  "escalations.show": {
    "at": "GET /v1/escalations/:key",
    "summary": "show an escalation with its log: notifications and acts, the newest first",
    "role": "viewer",
    "details": "The log is read from the audit log, so it can be shown after the escalation was resolved, too.",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no such escalation"
    },
    "input": [
      {
        "name": "key",
        "summary": "name of a collection or fingerprint of a cause, or the beginning of one"
      },
      {
        "name": "since",
        "summary": "records since then; default 30 days ago"
      }
    ],
    "json": "key | text | the name of a collection, or the fingerprint of a cause\nkind | \"collection\" or \"cause\" | which of the two\ntitle | text | the pattern of the errors, or the name of the collection\ntier | number | 1 to 4; 0: nothing is wrong any more\nstuck | number | items that are retried or parked\nfailed | number | items whose retries are used up\nbounded | boolean | true: there are more than were counted\nstuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nowner | text | who was assigned, or the owner of the tier\nnext_tier | number or null | the next tier, if nothing but time changes; null: none\nnext_tier_at | time or null | when it has that tier\nsince | time or null | since when it has acts or notifications; null: none\nnotified_tier | number | the tier of the last notification; 0: none\nnotified | time or null | when that tier was reached\nrespond_by | time or null | the time for a response; null: none is due\nresolve_by | time or null | the time until all must be resolved; null: no limit\noverdue | \"response\", \"resolution\" or null | which of the two has passed\nacknowledged_by | text or null | who acknowledged it\nacknowledged_tier | number or null | the tier that was acknowledged\nsnoozed_until | time or null | no notification until then\ndecision | \"requeue\", \"purge\", \"leave\" or null | the decision\ndecided_by | text or null | who decided\ndecision_why | text or null | the reason of the decision\nresolved | boolean | true: it is over, and only its log is left\nlog | list | the newest first, at most 200\nlog[].at | time | when\nlog[].act | text | raise, resolve, acknowledge, snooze, assign or decide\nlog[].by | text | who\nlog[].why | text or null | the reason that was given\nlog[].detail | map | tier, counts, owner, time or decision"
  },
  "escalations.ack": {
    "at": "POST /v1/escalations/:key/ack",
    "summary": "acknowledge an escalation: you look at it",
    "role": "operator",
    "details": "It answers its tier. A higher tier is notified, and wants an answer again.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such escalation"
    },
    "input": [
      {
        "name": "key",
        "summary": "name of a collection or fingerprint of a cause, or the beginning of one"
      }
    ],
    "json": "key | text | the name of a collection, or the fingerprint of a cause\nkind | \"collection\" or \"cause\" | which of the two\ntitle | text | the pattern of the errors, or the name of the collection\ntier | number | 1 to 4; 0: nothing is wrong any more\nstuck | number | items that are retried or parked\nfailed | number | items whose retries are used up\nbounded | boolean | true: there are more than were counted\nstuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nowner | text | who was assigned, or the owner of the tier\nnext_tier | number or null | the next tier, if nothing but time changes; null: none\nnext_tier_at | time or null | when it has that tier\nsince | time or null | since when it has acts or notifications; null: none\nnotified_tier | number | the tier of the last notification; 0: none\nnotified | time or null | when that tier was reached\nrespond_by | time or null | the time for a response; null: none is due\nresolve_by | time or null | the time until all must be resolved; null: no limit\noverdue | \"response\", \"resolution\" or null | which of the two has passed\nacknowledged_by | text or null | who acknowledged it\nacknowledged_tier | number or null | the tier that was acknowledged\nsnoozed_until | time or null | no notification until then\ndecision | \"requeue\", \"purge\", \"leave\" or null | the decision\ndecided_by | text or null | who decided\ndecision_why | text or null | the reason of the decision\ndry_run | boolean | true: nothing was changed"
  },
  "escalations.snooze": {
    "at": "POST /v1/escalations/:key/snooze",
    "summary": "send no notification of its tier or a lower one for a while",
    "role": "operator",
    "details": "A higher tier is notified all the same. If the tier still holds afterwards, it is notified again.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such escalation"
    },
    "input": [
      {
        "name": "key",
        "summary": "name of a collection or fingerprint of a cause, or the beginning of one"
      },
      {
        "name": "for_ms",
        "summary": "how long: 30m, 4h, 2d; at most 30d; default 4h"
      }
    ],
    "json": "key | text | the name of a collection, or the fingerprint of a cause\nkind | \"collection\" or \"cause\" | which of the two\ntitle | text | the pattern of the errors, or the name of the collection\ntier | number | 1 to 4; 0: nothing is wrong any more\nstuck | number | items that are retried or parked\nfailed | number | items whose retries are used up\nbounded | boolean | true: there are more than were counted\nstuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nowner | text | who was assigned, or the owner of the tier\nnext_tier | number or null | the next tier, if nothing but time changes; null: none\nnext_tier_at | time or null | when it has that tier\nsince | time or null | since when it has acts or notifications; null: none\nnotified_tier | number | the tier of the last notification; 0: none\nnotified | time or null | when that tier was reached\nrespond_by | time or null | the time for a response; null: none is due\nresolve_by | time or null | the time until all must be resolved; null: no limit\noverdue | \"response\", \"resolution\" or null | which of the two has passed\nacknowledged_by | text or null | who acknowledged it\nacknowledged_tier | number or null | the tier that was acknowledged\nsnoozed_until | time or null | no notification until then\ndecision | \"requeue\", \"purge\", \"leave\" or null | the decision\ndecided_by | text or null | who decided\ndecision_why | text or null | the reason of the decision\nuntil | time | when the snooze ends, or would end\ndry_run | boolean | true: nothing was changed"
  },
  "escalations.assign": {
    "at": "POST /v1/escalations/:key/assign",
    "summary": "assign an escalation to a person or a team",
    "role": "operator",
    "acts": true,
    "refusals": {
      "no_match": "there is no such escalation"
    },
    "input": [
      {
        "name": "key",
        "summary": "name of a collection or fingerprint of a cause, or the beginning of one"
      },
      {
        "name": "owner",
        "summary": "name of the person or team"
      }
    ],
    "json": "key | text | the name of a collection, or the fingerprint of a cause\nkind | \"collection\" or \"cause\" | which of the two\ntitle | text | the pattern of the errors, or the name of the collection\ntier | number | 1 to 4; 0: nothing is wrong any more\nstuck | number | items that are retried or parked\nfailed | number | items whose retries are used up\nbounded | boolean | true: there are more than were counted\nstuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nowner | text | who was assigned, or the owner of the tier\nnext_tier | number or null | the next tier, if nothing but time changes; null: none\nnext_tier_at | time or null | when it has that tier\nsince | time or null | since when it has acts or notifications; null: none\nnotified_tier | number | the tier of the last notification; 0: none\nnotified | time or null | when that tier was reached\nrespond_by | time or null | the time for a response; null: none is due\nresolve_by | time or null | the time until all must be resolved; null: no limit\noverdue | \"response\", \"resolution\" or null | which of the two has passed\nacknowledged_by | text or null | who acknowledged it\nacknowledged_tier | number or null | the tier that was acknowledged\nsnoozed_until | time or null | no notification until then\ndecision | \"requeue\", \"purge\", \"leave\" or null | the decision\ndecided_by | text or null | who decided\ndecision_why | text or null | the reason of the decision\ndry_run | boolean | true: nothing was changed"
  },
  "escalations.decide": {
    "at": "POST /v1/escalations/:key/decide",
    "summary": "record the decision about an escalation, and print the command that carries it out",
    "role": "operator",
    "details": "It changes no job and no document: the printed command does, with its own options.",
    "acts": true,
    "reason": true,
    "refusals": {
      "no_match": "there is no such escalation"
    },
    "input": [
      {
        "name": "key",
        "summary": "name of a collection or fingerprint of a cause, or the beginning of one"
      },
      {
        "name": "decision",
        "summary": "requeue: the cause is corrected; purge: the data is wrong for good; leave: nothing for now",
        "choices": [
          "requeue",
          "purge",
          "leave"
        ]
      }
    ],
    "json": "key | text | the name of a collection, or the fingerprint of a cause\nkind | \"collection\" or \"cause\" | which of the two\ntitle | text | the pattern of the errors, or the name of the collection\ntier | number | 1 to 4; 0: nothing is wrong any more\nstuck | number | items that are retried or parked\nfailed | number | items whose retries are used up\nbounded | boolean | true: there are more than were counted\nstuck_since | time or null | the first failure of the stuck items; null: not known, or none is stuck\nowner | text | who was assigned, or the owner of the tier\nnext_tier | number or null | the next tier, if nothing but time changes; null: none\nnext_tier_at | time or null | when it has that tier\nsince | time or null | since when it has acts or notifications; null: none\nnotified_tier | number | the tier of the last notification; 0: none\nnotified | time or null | when that tier was reached\nrespond_by | time or null | the time for a response; null: none is due\nresolve_by | time or null | the time until all must be resolved; null: no limit\noverdue | \"response\", \"resolution\" or null | which of the two has passed\nacknowledged_by | text or null | who acknowledged it\nacknowledged_tier | number or null | the tier that was acknowledged\nsnoozed_until | time or null | no notification until then\ndecision | \"requeue\", \"purge\", \"leave\" or null | the decision\ndecided_by | text or null | who decided\ndecision_why | text or null | the reason of the decision\nnext | text or null | the command that carries the decision out; null: none is needed\ndry_run | boolean | true: nothing was changed"
  },
  "gates.list": {
    "at": "GET /v1/gates",
    "summary": "list the closed gates, and when they open",
    "role": "viewer",
    "details": "When one attempt gets a Retry-After, the gate closes for all jobs with the same dependency, credential and tenant, in every process, for an hour at most.",
    "reads": "metrics",
    "input": [],
    "json": "gates | list | by name; empty: none is closed\ngates[].dependency | text | the dependency that is rate-limited\ngates[].credential | text or null | the credential that is rate-limited; null: all\ngates[].tenant | text or null | the tenant that is rate-limited; null: all\ngates[].until | time | when it opens by itself\ngates[].since | time | when it was closed\ngates[].cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed\ngates[].parked | number | jobs that wait for it, counted up to 10,000\ngates[].bounded | boolean | true: more jobs wait for it"
  },
  "gates.release": {
    "at": "POST /v1/gates/release",
    "summary": "open the gates of a dependency now",
    "role": "operator",
    "details": "The parked jobs are released at a growing pace. The next Retry-After closes the gate again.",
    "acts": true,
    "refusals": {
      "no_match": "no gate of that name is closed"
    },
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency of the gates"
      },
      {
        "name": "credential",
        "summary": "only the gate of this credential"
      },
      {
        "name": "tenant",
        "summary": "only of this tenant"
      }
    ],
    "json": "released | list | the gates that were opened, or would be\nreleased[].dependency | text | the dependency that is rate-limited\nreleased[].credential | text or null | the credential that is rate-limited; null: all\nreleased[].tenant | text or null | the tenant that is rate-limited; null: all\nreleased[].until | time | when it opens by itself\nreleased[].since | time | when it was closed\nreleased[].cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed\nreleased[].parked | number | jobs that wait for it, counted up to 10,000\nreleased[].bounded | boolean | true: more jobs wait for it\nhas_worker | boolean | false: no live worker has the handlers of the parked jobs, so they wait for one\ndry_run | boolean | true: nothing was changed"
  },
  "jobs.list": {
    "at": "GET /v1/jobs",
    "summary": "list jobs, the newest first",
    "role": "viewer",
    "details": "Purged jobs are listed only with the state purged, and jobs of Redrive's own upkeep only with `upkeep` or by their handler. A page looks at 20,000 jobs at most: with a rare filter a page can have few jobs or none, and still have a `next`.",
    "reads": "sessions",
    "input": [
      {
        "name": "failing",
        "summary": "only jobs that have failed and will be tried again, the newest failure first"
      },
      {
        "name": "upkeep",
        "summary": "also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look"
      },
      {
        "name": "state",
        "summary": "only jobs in this state; may be repeated",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ],
        "repeats": true
      },
      {
        "name": "handler",
        "summary": "only jobs of this handler"
      },
      {
        "name": "queue",
        "summary": "only jobs of this queue"
      },
      {
        "name": "tenant",
        "summary": "only jobs of this tenant"
      },
      {
        "name": "tag",
        "summary": "only jobs with this tag"
      },
      {
        "name": "batch",
        "summary": "only jobs of this batch"
      },
      {
        "name": "session",
        "summary": "only jobs of this session"
      },
      {
        "name": "since",
        "summary": "submitted after this time; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "submitted before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "jobs | list | newest submission first\njobs[].id | text | sorts by time of creation\njobs[].handler | text | the handler of the job\njobs[].subsystem | text | the first part of the handler's name\njobs[].state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\njobs[].queue | text | the queue\njobs[].tenant | text or null | the tenant of the job; tenants take turns\njobs[].priority | number | higher first\njobs[].tags | list of texts | texts\njobs[].retry_count | number | retries after charged attempts; 0 again after success\njobs[].next_retry_at | time or null | when a scheduled or parked job is due\njobs[].error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\njobs[].reason | text or null | reason code of the current state\njobs[].cause | text or null | what a parked job waits for\njobs[].submitted_at | time | when it was enqueued\njobs[].submitted_date | time | the same time\njobs[].deadline | time or null | no attempt starts after it\njobs[].finished_at | time or null | when it finished\njobs[].generation | number | from 1; each requeue increments it\njobs[].attempts_made | number | attempts in this generation, the running one included\njobs[].worker | text or null | the worker that runs it now\njobs[].cancel_requested | boolean | true: the job runs, and a cancellation was requested\njobs[].session_id | text | the id of the job, or of the call that handed it over\njobs[].correlation_id | text | as given, else the session id\njobs[].policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\njobs[].batch | text or null | id of the batch that counts it\njobs[].unique_key | text or null | the unique key: at most one unfinished job has it\njobs[].last_error | map or null | the newest attempt's error\njobs[].last_error.type | text | its type\njobs[].last_error.message | text | its message\njobs[].parked | map or null | what a parked job waits for; null: it is not parked\njobs[].parked.waits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\njobs[].parked.dependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\njobs[].parked.until | time or null | when a gate opens\njobs[].parked.next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler\njobs[].parked.probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\njobs[].parked.held_by | text or null | the operator who holds them\njobs[].parked.held_why | text or null | the reason that was given\njobs[].parked.has_worker | boolean | false: no live worker has the handlers of parked jobs, so none is released\nfailing | map or null | the number of failing jobs; null: not asked for\nfailing.count | number | jobs that match, on all pages\nfailing.bounded | boolean | true: only the 10,000 jobs of each state that are due first\nfailing.dead | number | dead jobs, where no job is failing; dead letters have more\nfailing.dead_bounded | boolean | true: there are more dead jobs\nupkeep | number or null | jobs of Redrive's own upkeep that are left out; null: not counted\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "jobs.counts": {
    "at": "GET /v1/job-counts",
    "summary": "how many jobs match, by state",
    "role": "viewer",
    "details": "Exact up to 10,000 jobs of a handler, a queue and a state. With any other filter it reads the newest 10,000 jobs that match.",
    "reads": "metrics",
    "input": [
      {
        "name": "upkeep",
        "summary": "also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look"
      },
      {
        "name": "state",
        "summary": "only jobs in this state; may be repeated",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ],
        "repeats": true
      },
      {
        "name": "handler",
        "summary": "only jobs of this handler"
      },
      {
        "name": "queue",
        "summary": "only jobs of this queue"
      },
      {
        "name": "tenant",
        "summary": "only jobs of this tenant"
      },
      {
        "name": "tag",
        "summary": "only jobs with this tag"
      },
      {
        "name": "batch",
        "summary": "only jobs of this batch"
      },
      {
        "name": "session",
        "summary": "only jobs of this session"
      },
      {
        "name": "since",
        "summary": "submitted after this time; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "submitted before this time; 10m: more than 10 minutes ago"
      }
    ],
    "json": "states | map | jobs in each state\nstates.scheduled | number | wait until they are due\nstates.ready | number | may start\nstates.parked | number | wait for a cause, such as an open breaker\nstates.leased | number | run now\nstates.succeeded | number | done\nstates.dead | number | given up\nstates.cancelled | number | cancelled by a person or a program\nstates.purged | number | deleted, and can be restored for a while\nbounded | boolean | true: there are more jobs than counted\nupkeep | number | jobs of Redrive's own upkeep that match and are not counted"
  },
  "jobs.show": {
    "at": "GET /v1/jobs/:id",
    "summary": "print the whole life of a job: every attempt, every wait, what is next and why",
    "role": "viewer",
    "details": "Payload, result and headers in full are for admins.",
    "reads": "payloads",
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      },
      {
        "name": "payload",
        "summary": "payload, result and headers: none, redacted (secrets masked, cut) or full",
        "choices": [
          "none",
          "redacted",
          "full"
        ]
      }
    ],
    "json": "id | text | sorts by time of creation\nhandler | text | the handler of the job\nsubsystem | text | the first part of the handler's name\nstate | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\nqueue | text | the queue\ntenant | text or null | the tenant of the job; tenants take turns\npriority | number | higher first\ntags | list of texts | texts\nretry_count | number | retries after charged attempts; 0 again after success\nnext_retry_at | time or null | when a scheduled or parked job is due\nerror_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\nreason | text or null | reason code of the current state\ncause | text or null | what a parked job waits for\nsubmitted_at | time | when it was enqueued\nsubmitted_date | time | the same time\ndeadline | time or null | no attempt starts after it\nfinished_at | time or null | when it finished\ngeneration | number | from 1; each requeue increments it\nattempts_made | number | attempts in this generation, the running one included\nworker | text or null | the worker that runs it now\ncancel_requested | boolean | true: the job runs, and a cancellation was requested\nsession_id | text | the id of the job, or of the call that handed it over\ncorrelation_id | text | as given, else the session id\npolicy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\nbatch | text or null | id of the batch that counts it\nunique_key | text or null | the unique key: at most one unfinished job has it\nlast_error | map or null | the newest attempt's error\nlast_error.type | text | its type\nlast_error.message | text | its message\nown_policy | text or null | the policy that the job itself names, or the version of one that it has for itself\nown_max_attempts | number or null | the number of attempts that it was enqueued with; null: that of its policy\naccount | object | attempts of this generation by outcome: succeeded, failed, rate_limited, …\nexecutions | number | attempts of all generations and rungs\ncharged | number | attempts of this generation that count, the one that succeeded included\nlosses | number | leases that it lost in a row\nattempts | list | the first attempt and the newest ones, the oldest first\nattempts[].attempt_number | number | in its generation, from 1, over all rungs\nattempts[].generation | number | its generation\nattempts[].rung | text | where it ran: job, or call before it was handed over\nattempts[].timestamp | time | when it started\nattempts[].delay | number | the wait before it, in seconds\nattempts[].duration | number | in seconds\nattempts[].success | boolean | true: it succeeded\nattempts[].error | map or null | sanitised\nattempts[].error.type | text | its type\nattempts[].error.message | text | its message\nattempts[].error.stack_trace | text or null | null: it is not known\nattempts[].error_class | text or null | what kind of error\nattempts[].action | text | what was decided: succeed, retry, hand-over, park or give-up\nattempts[].reason | text | why: a reason code\nattempts[].entry | text | whether the attempt counts: its entry in the attempt account\nattempts[].next_delay | number or null | the wait that followed, in seconds\nattempts[].worker | text | the worker that ran it\nattempts[].probe | boolean | true: the probe of an open breaker, not charged if it fails\nattempts[].policy_id | text or null | name of the policy\nattempts[].policy_hash | text | the version of the policy\nattempts[].max_attempts | number | of that version\nomitted_attempts | number | attempts that are not in the list; the audit log has them\nlease | map or null | null: it does not run\nlease.worker | text | the worker that runs it\nlease.since | time | when it was claimed\nlease.until | time | when another worker may take it\nlease.alone | boolean | true: the worker runs no other job at the same time\nlease.progress | map or null | of the attempt; null: it has reported none\nlease.progress.fraction | number | from 0 to 1\nlease.progress.note | text or null | in words; null: none was given\nlease.progress.since | time | since when it has been the same\norigin | map or null | the source that it came from; null: it was enqueued\norigin.rung | text | event or document\norigin.bus | text or null | the bus\norigin.source | text | the source\ntrace_id | text or null | as given\nparent_id | text or null | the job whose attempt or death enqueued this one; null: none did\nleads_to | map | jobs that its attempts have enqueued, and the hooks of its deaths\nleads_to.count | number | their number\nleads_to.ids | list of texts | the first ones, at most 20\non_dead | text or null | the handler that gets a job when this one dies; null: none\nidempotency_key | text | the key that the handler passes on\nlimit_key | text or null | jobs with the same key share a limit\npolicy_hash | text or null | of the running or newest attempt\nmax_attempts | number or null | of the newest attempt's policy\nrevision | number | number of state changes\ntoken | number | of its newest lease\nheaders | any | JSON, shown as the payload is\npayload | any | JSON: masked and cut, or in full, or null\nresult | any | JSON, shown as the payload is\nresult_omitted_bytes | number or null | the size of a result that was too large to be kept\nparked | map or null | what a parked job waits for; null: it is not parked\nparked.waits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\nparked.dependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\nparked.until | time or null | when a gate opens\nparked.next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler\nparked.probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nparked.held_by | text or null | the operator who holds them\nparked.held_why | text or null | the reason that was given\nparked.has_worker | boolean | false: no live worker has the handlers of parked jobs, so none is released\nkill_switch | map or null | the kill switch that keeps a ready job from starting\nkill_switch.scope | text | all, queue, tenant or handler\nkill_switch.name | text | of the queue, tenant or handler\nkill_switch.since | time | since when\nkill_switch.by | text | the operator\nkill_switch.why | text or null | the reason that was given\npause | map or null | the pause that keeps a ready job from starting\npause.scope | text | all, queue, tenant or handler\npause.name | text | of the queue, tenant or handler\npause.since | time | since when\npause.by | text | the operator\npause.why | text or null | the reason that was given\nset_aside | map or null | its row was set aside, so no worker and no command moves it; null: it was not\nset_aside.problem | text or null | why it cannot be read; null: it can be again"
  },
  "jobs.wait": {
    "at": "GET /v1/jobs/:id/wait",
    "summary": "wait until a job has finished, and print its result",
    "role": "viewer",
    "details": "It answers after 5 seconds at the latest: while `finished` is false, call it again.",
    "reads": "payloads",
    "verdict": true,
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      },
      {
        "name": "payload",
        "summary": "payload, result and headers: none, redacted (secrets masked, cut) or full",
        "choices": [
          "none",
          "redacted",
          "full"
        ]
      },
      {
        "name": "timeout",
        "summary": "how long to wait, such as 2s"
      }
    ],
    "json": "id | text | sorts by time of creation\nhandler | text | the handler of the job\nsubsystem | text | the first part of the handler's name\nstate | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\nqueue | text | the queue\ntenant | text or null | the tenant of the job; tenants take turns\npriority | number | higher first\ntags | list of texts | texts\nretry_count | number | retries after charged attempts; 0 again after success\nnext_retry_at | time or null | when a scheduled or parked job is due\nerror_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\nreason | text or null | reason code of the current state\ncause | text or null | what a parked job waits for\nsubmitted_at | time | when it was enqueued\nsubmitted_date | time | the same time\ndeadline | time or null | no attempt starts after it\nfinished_at | time or null | when it finished\ngeneration | number | from 1; each requeue increments it\nattempts_made | number | attempts in this generation, the running one included\nworker | text or null | the worker that runs it now\ncancel_requested | boolean | true: the job runs, and a cancellation was requested\nsession_id | text | the id of the job, or of the call that handed it over\ncorrelation_id | text | as given, else the session id\npolicy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\nbatch | text or null | id of the batch that counts it\nunique_key | text or null | the unique key: at most one unfinished job has it\nlast_error | map or null | the newest attempt's error\nlast_error.type | text | its type\nlast_error.message | text | its message\nown_policy | text or null | the policy that the job itself names, or the version of one that it has for itself\nown_max_attempts | number or null | the number of attempts that it was enqueued with; null: that of its policy\naccount | object | attempts of this generation by outcome: succeeded, failed, rate_limited, …\nexecutions | number | attempts of all generations and rungs\ncharged | number | attempts of this generation that count, the one that succeeded included\nlosses | number | leases that it lost in a row\nattempts | list | the first attempt and the newest ones, the oldest first\nattempts[].attempt_number | number | in its generation, from 1, over all rungs\nattempts[].generation | number | its generation\nattempts[].rung | text | where it ran: job, or call before it was handed over\nattempts[].timestamp | time | when it started\nattempts[].delay | number | the wait before it, in seconds\nattempts[].duration | number | in seconds\nattempts[].success | boolean | true: it succeeded\nattempts[].error | map or null | sanitised\nattempts[].error.type | text | its type\nattempts[].error.message | text | its message\nattempts[].error.stack_trace | text or null | null: it is not known\nattempts[].error_class | text or null | what kind of error\nattempts[].action | text | what was decided: succeed, retry, hand-over, park or give-up\nattempts[].reason | text | why: a reason code\nattempts[].entry | text | whether the attempt counts: its entry in the attempt account\nattempts[].next_delay | number or null | the wait that followed, in seconds\nattempts[].worker | text | the worker that ran it\nattempts[].probe | boolean | true: the probe of an open breaker, not charged if it fails\nattempts[].policy_id | text or null | name of the policy\nattempts[].policy_hash | text | the version of the policy\nattempts[].max_attempts | number | of that version\nomitted_attempts | number | attempts that are not in the list; the audit log has them\nlease | map or null | null: it does not run\nlease.worker | text | the worker that runs it\nlease.since | time | when it was claimed\nlease.until | time | when another worker may take it\nlease.alone | boolean | true: the worker runs no other job at the same time\nlease.progress | map or null | of the attempt; null: it has reported none\nlease.progress.fraction | number | from 0 to 1\nlease.progress.note | text or null | in words; null: none was given\nlease.progress.since | time | since when it has been the same\norigin | map or null | the source that it came from; null: it was enqueued\norigin.rung | text | event or document\norigin.bus | text or null | the bus\norigin.source | text | the source\ntrace_id | text or null | as given\nparent_id | text or null | the job whose attempt or death enqueued this one; null: none did\nleads_to | map | jobs that its attempts have enqueued, and the hooks of its deaths\nleads_to.count | number | their number\nleads_to.ids | list of texts | the first ones, at most 20\non_dead | text or null | the handler that gets a job when this one dies; null: none\nidempotency_key | text | the key that the handler passes on\nlimit_key | text or null | jobs with the same key share a limit\npolicy_hash | text or null | of the running or newest attempt\nmax_attempts | number or null | of the newest attempt's policy\nrevision | number | number of state changes\ntoken | number | of its newest lease\nheaders | any | JSON, shown as the payload is\npayload | any | JSON: masked and cut, or in full, or null\nresult | any | JSON, shown as the payload is\nresult_omitted_bytes | number or null | the size of a result that was too large to be kept\nparked | map or null | what a parked job waits for; null: it is not parked\nparked.waits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\nparked.dependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\nparked.until | time or null | when a gate opens\nparked.next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler\nparked.probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nparked.held_by | text or null | the operator who holds them\nparked.held_why | text or null | the reason that was given\nparked.has_worker | boolean | false: no live worker has the handlers of parked jobs, so none is released\nkill_switch | map or null | the kill switch that keeps a ready job from starting\nkill_switch.scope | text | all, queue, tenant or handler\nkill_switch.name | text | of the queue, tenant or handler\nkill_switch.since | time | since when\nkill_switch.by | text | the operator\nkill_switch.why | text or null | the reason that was given\npause | map or null | the pause that keeps a ready job from starting\npause.scope | text | all, queue, tenant or handler\npause.name | text | of the queue, tenant or handler\npause.since | time | since when\npause.by | text | the operator\npause.why | text or null | the reason that was given\nset_aside | map or null | its row was set aside, so no worker and no command moves it; null: it was not\nset_aside.problem | text or null | why it cannot be read; null: it can be again\nfinished | boolean | true: it is succeeded, dead, cancelled or purged\nresult_text | text or null | the result as it is stored; null: there is none, or it is not shown in full"
  },
  "jobs.watch": {
    "at": "GET /v1/jobs/:id/watch",
    "summary": "follow the state and the progress of a job until it has finished",
    "role": "viewer",
    "details": "It looks at the job every second, and answers with one item now and one for each change. A worker brings progress with its heartbeats, every third of the lease. A stream lasts for at most 15 minutes: while the last item is not `finished`, ask again.",
    "reads": "sessions",
    "streams": true,
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      }
    ],
    "json": "id | text | the job\nhandler | text | its handler\nstate | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\nattempts_made | number | attempts in this generation, the running one included\nworker | text or null | the worker that runs it now\nprogress | map or null | of the running attempt; null: it has reported none\nprogress.fraction | number | from 0 to 1\nprogress.note | text or null | in words; null: none was given\nprogress.since | time | since when it has been the same\nreason | text or null | reason code of the current state\nlast_error | map or null | the newest attempt's error\nlast_error.type | text | its type\nlast_error.message | text | its message\nfinished | boolean | true: it is succeeded, dead, cancelled or purged"
  },
  "jobs.history": {
    "at": "GET /v1/jobs/:id/history",
    "summary": "every record of a job in the audit log, the oldest first",
    "role": "viewer",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      }
    ],
    "json": "entries | list | the oldest first\nentries[].revision | number | of the job, from 1\nentries[].event | text | such as enqueue, claim or settle\nentries[].from | text or null | the state before\nentries[].to | text or null | the state after\nentries[].atMs | number | milliseconds since 1970\nentries[].token | number | of the newest lease\nentries[].generation | number | its generation\nentries[].executions | number | attempts of all generations and rungs until then\nentries[].block | number | number of the block of the audit log\nentries[].detail | object | the facts of this event\ncomplete | boolean | false: the oldest records were not read"
  },
  "jobs.timeline": {
    "at": "GET /v1/jobs/:id/timeline",
    "summary": "attempts and waits of a job with absolute times, and its planned attempts",
    "role": "viewer",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      }
    ],
    "json": "id | text | the job\nrevision | number | its document changes only together with this number\nnow | time | the store's time\nsubmitted_at | time | when it was enqueued\nfinished_at | time or null | when it finished\ncharged | number | attempts of this generation that count, the one that succeeded included\nmax_attempts | number or null | the most that may count; null: not known before the first attempt\nprogress | map or null | of the running attempt; null: it has reported none\nprogress.fraction | number | from 0 to 1\nprogress.note | text or null | in words; null: none was given\nprogress.since | time | since when it has been the same\nrows | list | attempts, the oldest first\nrows[].attempt | number | over all generations and rungs, from 1\nrows[].generation | number | its generation\nrows[].revision | number or null | of the record of its outcome, as in a replay; null: it runs\nrows[].started_at | time | when it started\nrows[].ended_at | time or null | null: it runs\nrows[].entry | text | its entry in the attempt account, or running\nrows[].reason | text or null | reason code of the decision\nrows[].action | text or null | what was decided\nrows[].error | map or null | its error\nrows[].error.type | text | its type\nrows[].error.message | text | its message\nrows[].worker | text or null | the worker that ran it\nrows[].waits | list | the waits after it\nrows[].waits[].from | time | when it began\nrows[].waits[].until | time or null | when it ended; of an ongoing wait: its known end\nrows[].waits[].why | \"backoff\", \"hint\", \"breaker\", \"gate\", \"budget\", \"kill\", \"pause\" or \"worker\" | worker: it is due, and no worker has claimed it yet\nrows[].waits[].of | text or null | such as breaker:bank; null: not known, or nothing to name\nrows[].waits[].ongoing | boolean | true: it has not ended\nplanned | list | attempts that have not started\nplanned[].attempt | number | its number\nplanned[].at | time or null | null: no time is known\nplanned[].waits_for | \"backoff\", \"hint\", \"breaker\", \"gate\", \"budget\", \"kill\", \"pause\", \"worker\" or null | the condition, where no time decides\nplanned[].of | text or null | as in a wait\nplanned[].at_most_after_ms | number or null | at most this long after the attempt before, if that one fails\nevents | list | controls in force that were set while the job waited\nevents[].at | time | since when\nevents[].text | text | its text\ncomplete | boolean | false: the oldest records were not read"
  },
  "jobs.climb": {
    "at": "GET /v1/jobs/:id/climb",
    "summary": "the work of a job over all rungs: calls, events, jobs and sweeps with its correlation id",
    "role": "viewer",
    "details": "It reads the audit log from an hour before the job until an hour after it, 20,000 transactions at most. Calls are there if their program writes them into the log (`auditSink`).",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      }
    ],
    "json": "correlation_id | text | what the steps have in common\nnow | time | the store's time\nsteps | list | calls and jobs, in the order in which they began\nsteps[].rung | \"call\", \"event\", \"job\" or \"document\" | call: in process; document: a sweep sent the event of a stuck document again\nsteps[].id | text | of the job; of a call, its session\nsteps[].name | text | the handler, or the operation of a call\nsteps[].state | text | of the job; of a call: succeeded, scheduled, handed_over or given_up\nsteps[].from | time | when it began\nsteps[].until | time or null | when it ended; null: it has not\nsteps[].attempts | list | the oldest first; of a job the first and the newest ones\nsteps[].attempts[].attempt | number | within its step, from 1\nsteps[].attempts[].generation | number | its generation\nsteps[].attempts[].started_at | time | when it started\nsteps[].attempts[].duration_ms | number | how long it ran\nsteps[].attempts[].success | boolean | true: it succeeded\nsteps[].attempts[].reason | text | reason code of the decision\nsteps[].attempts[].error | text or null | its error, sanitised; null: it succeeded\ncomplete | boolean | false: there were more records than were read"
  },
  "jobs.replay": {
    "at": "GET /v1/jobs/:id/replay",
    "summary": "derive every decision of one job again and compare it with the record",
    "role": "viewer",
    "reads": "sessions",
    "verdict": true,
    "refusals": {
      "no_match": "there is no job with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the job"
      }
    ],
    "json": "session | text | its id\nsame | boolean | true: every decision was derived again, with the same answer\nomitted | number | steps beyond the limit\nsteps | list | in the order of their times\nsteps[].time | time | the store's clock\nsteps[].event | text | what happened: enqueue, claim, settle, read, …\nsteps[].id | text | id of the job or session; for a note, its subject\nsteps[].from | text or null | the state before; null: none\nsteps[].to | text or null | the state after; null: a note\nsteps[].by | text or null | the actor: cli:user@host, a worker, …\nsteps[].why | text or null | the reason that was given\nsteps[].block | number | of the transaction that wrote it\nsteps[].revision | number | counts the job's records; 0: a note\nsteps[].token | number | of the newest lease\nsteps[].generation | number | of the job; 0: a note\nsteps[].executions | number | attempts over all generations\nsteps[].detail | object | further fields, depending on the event: see the audit log\nsteps[].decision | map or null | null: nothing was decided, or a success\nsteps[].decision.policy_hash | text | version of the policy\nsteps[].decision.policy_id | text or null | its name; null: not known\nsteps[].decision.policy | map or null | its fields by their names in code; null: not known\nsteps[].decision.policy.maxAttempts | number | attempts that may count\nsteps[].decision.policy.backoff | text | exponential, linear, fixed, immediate or list\nsteps[].decision.policy.jitter | text | its kind\nsteps[].decision.policy.baseDelayMs | number | the first wait\nsteps[].decision.policy.maxDelayMs | number | the longest wait\nsteps[].decision.policy.multiplier | number | of an exponential back-off\nsteps[].decision.policy.immediateFirstRetry | boolean | whether the first retry is immediate\nsteps[].decision.decide_version | number | version of `decide` that answered\nsteps[].decision.input | map | the input of `decide`\nsteps[].decision.input.account | map | the attempt account\nsteps[].decision.input.account.charged | number | attempts that count, this one included\nsteps[].decision.input.account.freeWaits | number | waits before it that cost no attempt\nsteps[].decision.input.outcome | map | of the attempt\nsteps[].decision.input.outcome.kind | text | success, failure, lease_lost, interrupted, blocked or unstarted\nsteps[].decision.input.outcome.errorClass | text | of a failure\nsteps[].decision.input.outcome.retryAfterMs | number | the wait that the dependency asked for\nsteps[].decision.input.timeLeftMs | number or null | until the deadline; null: it has none\nsteps[].decision.input.budgetAllows | boolean | whether the retry budget had a token\nsteps[].decision.input.breakerOpenMs | number | for how long the breaker stays open\nsteps[].decision.recorded | map | the answer then\nsteps[].decision.recorded.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.recorded.reason | text | reason code\nsteps[].decision.recorded.delay_ms | number or null | the wait that follows\nsteps[].decision.recorded.entry | text | the entry of the attempt in the account\nsteps[].decision.derived | map or null | the answer now; null: it cannot be derived\nsteps[].decision.derived.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.derived.reason | text | reason code\nsteps[].decision.derived.delay_ms | number or null | the wait that follows\nsteps[].decision.derived.entry | text | the entry of the attempt in the account\nsteps[].decision.same | boolean | whether both are equal\nsteps[].decision.wait | map or null | how the wait came about; null: no back-off took part\nsteps[].decision.wait.nominalMs | number | by the back-off, capped, before jitter\nsteps[].decision.wait.minMs | number | the least that jitter can make of it\nsteps[].decision.wait.maxMs | number | the most\nsteps[].decision.wait.random | number | the random number, from 0 to 1\nsteps[].decision.wait.drawnMs | number | the wait that it gave\nsteps[].decision.wait.hintMs | number | the wait that the dependency asked for"
  },
  "jobs.scheduledRetries": {
    "at": "GET /v1/scheduled-retries",
    "summary": "retries that are due in the next 24 hours, by quarter of an hour; reads 10,000 jobs",
    "role": "viewer",
    "reads": "metrics",
    "input": [
      {
        "name": "state",
        "summary": "only jobs in this state; may be repeated",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ],
        "repeats": true
      },
      {
        "name": "handler",
        "summary": "only jobs of this handler"
      },
      {
        "name": "queue",
        "summary": "only jobs of this queue"
      },
      {
        "name": "tenant",
        "summary": "only jobs of this tenant"
      },
      {
        "name": "tag",
        "summary": "only jobs with this tag"
      },
      {
        "name": "batch",
        "summary": "only jobs of this batch"
      },
      {
        "name": "session",
        "summary": "only jobs of this session"
      },
      {
        "name": "since",
        "summary": "submitted after this time; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "submitted before this time; 10m: more than 10 minutes ago"
      }
    ],
    "json": "now | time or null | the store's time\nfrom | time or null | the start of the first quarter of an hour\nbucket_ms | number | a quarter of an hour\nbuckets | list | retries that are due in each of 96\noverdue | number | due already: they wait for a worker\nlater | number | due after the last one\nbounded | boolean | true: the first 10,000 scheduled jobs were read, and there are more\ncounted_until | time or null | if bounded: nothing is known after this time"
  },
  "jobs.enqueue": {
    "at": "POST /v1/jobs",
    "summary": "enqueue 1 to 1,000 jobs in one commit; with an Idempotency-Key at most once",
    "role": "operator",
    "details": "A handler that neither a live worker nor a job nor the configuration names is refused, and so is a policy that the configuration does not have, unless `runs_elsewhere` is true.",
    "acts": true,
    "refusals": {
      "no_match": "the handler or the policy is unknown",
      "conflict": "another job has the unique key or the id of each job"
    },
    "input": [
      {
        "name": "jobs",
        "summary": "at most 1,000"
      },
      {
        "name": "runs_elsewhere",
        "summary": "allow a handler and a policy that only another program knows"
      },
      {
        "name": "skip_invalid",
        "summary": "leave out jobs whose payload or options are wrong; default: nothing is stored then"
      }
    ],
    "json": "jobs | list | one entry per job, in their order\njobs[].id | text or null | id of the job, or of the one in the way; null: there is none\njobs[].handler | text | the handler of the job\njobs[].queue | text or null | its queue; null: it was left out\njobs[].outcome | text | created, existing, replaced, would_be_created; or, of a job that was left out: unique_conflict, idempotency_conflict, batch_closed or invalid\njobs[].problem | text or null | why it was left out\ndry_run | boolean | true: nothing was changed"
  },
  "jobs.cancel": {
    "at": "POST /v1/jobs/cancel",
    "summary": "cancel jobs: waiting jobs at once; running jobs are asked to stop",
    "role": "operator",
    "acts": true,
    "verdict": true,
    "refusals": {
      "no_match": "there are no such jobs",
      "conflict": "the state of the jobs does not allow it"
    },
    "input": [
      {
        "name": "ids",
        "summary": "ids of the jobs, at most 1,000"
      }
    ],
    "json": "jobs | list | one entry per id, in their order\njobs[].id | text | the job\njobs[].done | boolean | true: the job was changed, or would be\njobs[].state | text or null | the state afterwards; null: there is no such job\njobs[].note | text | what was done, or why not\ndry_run | boolean | true: nothing was changed"
  },
  "jobs.retry": {
    "at": "POST /v1/jobs/retry",
    "summary": "run dead or cancelled jobs again, and waiting jobs now",
    "role": "operator",
    "details": "A dead or cancelled job begins a new generation with all its attempts; its history stays. A scheduled or parked job becomes ready at once, with the attempts that it has left.",
    "acts": true,
    "verdict": true,
    "refusals": {
      "no_match": "there are no such jobs",
      "conflict": "the state of the jobs does not allow it"
    },
    "input": [
      {
        "name": "ids",
        "summary": "ids of the jobs, at most 1,000"
      }
    ],
    "json": "jobs | list | one entry per id, in their order\njobs[].id | text | the job\njobs[].done | boolean | true: the job was changed, or would be\njobs[].state | text or null | the state afterwards; null: there is no such job\njobs[].note | text | what was done, or why not\ndry_run | boolean | true: nothing was changed"
  },
  "kill.list": {
    "at": "GET /v1/kill-switches",
    "summary": "list the kill switches that are engaged",
    "role": "viewer",
    "reads": "metrics",
    "input": [],
    "json": "engaged | list | by name; empty: none is engaged\nengaged[].scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nengaged[].name | text or null | name of the queue, handler or tenant; null: everything\nengaged[].mode | \"finish\" or \"interrupt\" | finish: running jobs may finish; interrupt: they are interrupted and released\nengaged[].since | time | when it was engaged\nengaged[].by | text | who engaged it\nengaged[].why | text or null | the reason that was given\nengaged[].running | number or null | running jobs that it stops; null: not known\nengaged[].waiting | number or null | waiting jobs that it stops; null: not known\nengaged[].bounded | boolean | true: counting stopped, and there are more"
  },
  "kill.forecast": {
    "at": "GET /v1/kill-switches/forecast",
    "summary": "the jobs that a kill switch would stop, by handler; counts are bounded",
    "role": "viewer",
    "reads": "metrics",
    "input": [
      {
        "name": "scope",
        "summary": "all, queue, handler or tenant; operation: a handler",
        "choices": [
          "all",
          "queue",
          "handler",
          "operation",
          "tenant"
        ]
      },
      {
        "name": "name",
        "summary": "name of the queue, the handler or the tenant"
      }
    ],
    "json": "scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nname | text or null | name of the queue, handler or tenant; null: everything\nrunning | number or null | running jobs that it stops; null: not known\nwaiting | number or null | waiting jobs that it stops; null: not known\nbounded | boolean | true: counting stopped, and there are more\nhandlers | list | most jobs first; of a tenant none: jobs are not counted by tenant\nhandlers[].queue | text | the queue\nhandlers[].handler | text | the handler\nhandlers[].running | number | its running jobs\nhandlers[].waiting | number | its waiting jobs\ncounted_at | time or null | when they were counted"
  },
  "kill.engage": {
    "at": "POST /v1/kill-switches/engage",
    "summary": "engage a kill switch: no process starts a job until it is released",
    "role": "admin",
    "details": "It applies in every process within a second, also after a restart; a process that cannot read the switch starts no job. Jobs can still be enqueued, and wait. No attempt is charged. A call in process makes no further attempt if its program passes it killSwitchOf(store). If the switch is already engaged, only its mode changes.",
    "acts": true,
    "reason": true,
    "refusals": {
      "refused": "it would stop everything, and --confirm=all is missing"
    },
    "input": [
      {
        "name": "scope",
        "summary": "all, queue, handler or tenant",
        "choices": [
          "all",
          "queue",
          "handler",
          "operation",
          "tenant"
        ]
      },
      {
        "name": "name",
        "summary": "name of the queue, the handler or the tenant"
      },
      {
        "name": "mode",
        "summary": "finish: running jobs may finish; interrupt: they are interrupted and released; default finish",
        "choices": [
          "finish",
          "interrupt"
        ]
      },
      {
        "name": "confirm",
        "summary": "the confirmation for the scope all: --confirm=all, because it stops everything"
      }
    ],
    "json": "scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nname | text or null | name of the queue, handler or tenant; null: everything\nmode | \"finish\" or \"interrupt\" | finish: running jobs may finish; interrupt: they are interrupted and released\nsince | time | when it was engaged\nby | text | who engaged it\nwhy | text or null | the reason that was given\nchanged | boolean | false: it was in that state already, or a dry run\nrunning | number or null | running jobs that it stops; null: not known\nwaiting | number or null | waiting jobs that it stops; null: not known\nbounded | boolean | true: counting stopped, and there are more\ndry_run | boolean | true: nothing was changed"
  },
  "kill.release": {
    "at": "POST /v1/kill-switches/release",
    "summary": "release a kill switch: its jobs may start again",
    "role": "admin",
    "details": "A kill switch stays engaged until this command releases it. Without --pace all waiting jobs may start at once. With --pace, jobs that were submitted before the release start at a growing pace, and later ones start at once.",
    "acts": true,
    "reason": true,
    "refusals": {
      "no_match": "this switch is not engaged; nothing was changed"
    },
    "input": [
      {
        "name": "scope",
        "summary": "all, queue, handler or tenant",
        "choices": [
          "all",
          "queue",
          "handler",
          "operation",
          "tenant"
        ]
      },
      {
        "name": "name",
        "summary": "name of the queue, the handler or the tenant"
      },
      {
        "name": "pace",
        "summary": "release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail"
      }
    ],
    "json": "scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nname | text or null | name of the queue, handler or tenant; null: everything\nchanged | boolean | false: a dry run\nreleased | map | the switch as it was\nreleased.scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nreleased.name | text or null | name of the queue, handler or tenant; null: everything\nreleased.mode | \"finish\" or \"interrupt\" | finish: running jobs may finish; interrupt: they are interrupted and released\nreleased.since | time | when it was engaged\nreleased.by | text | who engaged it\nreleased.why | text or null | the reason that was given\npace | number or null | jobs per second at first; null: all at once\nstill_engaged | list | other kill switches: they may stop some of the same jobs\nstill_engaged[].scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nstill_engaged[].name | text or null | name of the queue, handler or tenant; null: everything\nhas_worker | boolean | false: no live worker has the handlers of parked jobs, so they wait for one\ndry_run | boolean | true: nothing was changed"
  },
  "lab.recording": {
    "at": "GET /v1/recording",
    "summary": "the attempts of a time window as a recording (recording/v1); since: 7 days ago",
    "role": "viewer",
    "reads": "sessions",
    "exports": true,
    "streams": true,
    "input": [
      {
        "name": "since",
        "summary": "attempts that ended at this time or later; default 7d"
      },
      {
        "name": "until",
        "summary": "attempts that ended before this time; default now"
      },
      {
        "name": "dependency",
        "summary": "attempts at this dependency only"
      }
    ],
    "json": "recording | \"recording/v1\" | of the head: the version\nsince | time | of the head: attempts ended at this time or later\nuntil | time | of the head: attempts ended before this time\ndependency | text | a handler without a dependency is its own\nhandler | text | the handler or the operation\ncategory | text | absent: it has none\npolicy | text | name of the policy\npolicy_hash | text | version of the policy\nrung | text | call, event, job or document\nsession | text | a salted hash: it leads back to no job\ngeneration | number | a requeue starts the next one\nattempt | number | over all generations and rungs of the session, from 1\nstart_ms | number | Unix time in ms; absent: a job's success\nend_ms | number | Unix time in ms\noutcome | \"succeeded\", \"failed\", \"lost\" or \"not_run\" | its result; lost: with its lease; not_run: a probe that did not begin\nclass | text | error class\ntype | text | type of the error\nhint_ms | number | the wait that the dependency asked for\nprobe | boolean | whether it was the probe of a breaker\naction | text | the decision: succeed, retry, hand-over, park or give-up\nreason | text | reason code of the decision\ndelay_ms | number | the wait that follows"
  },
  "limits.list": {
    "at": "GET /v1/limits",
    "summary": "list the rates of handlers and queues, and how many jobs wait for each",
    "role": "viewer",
    "details": "Workers declare the rates of their handlers and queues. A job above a rate stays ready. A Retry-After of the other side is a gate: see \"redrive gates list\".",
    "reads": "metrics",
    "input": [],
    "json": "limits | list | by name; empty: no worker has a rate\nlimits[].name | text | its name, such as handler:mail/tenant/1000ms\nlimits[].handler | text or null | the handler whose jobs it counts; null: any\nlimits[].queue | text or null | the queue whose jobs it counts; null: any\nlimits[].by | \"all\", \"handler\", \"tenant\" or \"key\" | what it counts apart; all: all its jobs together\nlimits[].limit | number | starts that it allows in that time\nlimits[].per_ms | number | the time, in milliseconds\nlimits[].burst | number | starts that may come at once after a pause\nlimits[].declared | number | the limit in the code or the file of the workers\nlimits[].set_by | text or null | who has changed it; null: nobody\nlimits[].set_at | time or null | when it was changed; null: it was not\nlimits[].why | text or null | why it was changed\nlimits[].jobs | number | ready jobs that it keeps back; each value is counted up to 10,000\nlimits[].bounded | boolean | true: it keeps more jobs back\nlimits[].since | time or null | since when jobs wait for it; null: none waits\nlimits[].values | number | tenants or keys with jobs that wait\nlimits[].waiting | list | those with the most jobs, at most 20\nlimits[].waiting[].tenant | text or null | the tenant; null: it is not counted by tenant\nlimits[].waiting[].key | text or null | the rate key; null: it is not counted by key\nlimits[].waiting[].handler | text or null | the handler, in a queue that counts each apart\nlimits[].waiting[].jobs | number | ready jobs that wait\nlimits[].waiting[].since | time | since when"
  },
  "limits.set": {
    "at": "POST /v1/limits/set",
    "summary": "change a rate for all workers now, until it is changed again",
    "role": "operator",
    "acts": true,
    "refusals": {
      "no_match": "no worker has declared a rate of that name"
    },
    "input": [
      {
        "name": "name",
        "summary": "the rate, as \"redrive limits list\" names it"
      },
      {
        "name": "limit",
        "summary": "starts that it allows in its time"
      },
      {
        "name": "burst",
        "summary": "starts that may come at once after a pause; the default is the limit"
      },
      {
        "name": "reset",
        "summary": "the limit that the workers declare applies again"
      }
    ],
    "json": "limit | map | the rate as it is now, or would be\nlimit.name | text | its name, such as handler:mail/tenant/1000ms\nlimit.handler | text or null | the handler whose jobs it counts; null: any\nlimit.queue | text or null | the queue whose jobs it counts; null: any\nlimit.by | \"all\", \"handler\", \"tenant\" or \"key\" | what it counts apart; all: all its jobs together\nlimit.limit | number | starts that it allows in that time\nlimit.per_ms | number | the time, in milliseconds\nlimit.burst | number | starts that may come at once after a pause\nlimit.declared | number | the limit in the code or the file of the workers\nlimit.set_by | text or null | who has changed it; null: nobody\nlimit.set_at | time or null | when it was changed; null: it was not\nlimit.why | text or null | why it was changed\nlimit.jobs | number | ready jobs that it keeps back; each value is counted up to 10,000\nlimit.bounded | boolean | true: it keeps more jobs back\nlimit.since | time or null | since when jobs wait for it; null: none waits\nlimit.values | number | tenants or keys with jobs that wait\nlimit.waiting | list | those with the most jobs, at most 20\nlimit.waiting[].tenant | text or null | the tenant; null: it is not counted by tenant\nlimit.waiting[].key | text or null | the rate key; null: it is not counted by key\nlimit.waiting[].handler | text or null | the handler, in a queue that counts each apart\nlimit.waiting[].jobs | number | ready jobs that wait\nlimit.waiting[].since | time | since when\nchanged | boolean | false: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "metrics.figures": {
    "at": "GET /v1/figures",
    "summary": "jobs per minute by result, retry ratio and time to success of the last 1, 2, 6 or 24 hours; from memory",
    "role": "viewer",
    "details": "Only a server has them, because it follows the audit log.",
    "reads": "metrics",
    "refusals": {
      "refused": "it was not asked of a server"
    },
    "input": [
      {
        "name": "window",
        "summary": "how far back, the present minute included",
        "choices": [
          "1h",
          "2h",
          "6h",
          "24h"
        ]
      }
    ],
    "json": "rebuilt | boolean | false: the log of the last 24 hours is still read, the newest part first\nprogress | number | the part of the 24 hours that is read, 0 to 1\nsince | time | the figures are complete from this time on\nfrom | time | start of the first minute; the last minute is not over yet\nfirst_try | list | jobs per minute that succeeded with their first attempt\nrecovered | list | jobs per minute that succeeded after retries\ndead | list | new dead letters per minute\nretries | list | attempts per minute that failed and are followed by another one\np50 | list | median time to success of each minute in seconds; null: no job succeeded\ntotal | map | of the window\ntotal.first_try | number | jobs that succeeded with their first attempt\ntotal.recovered | number | jobs that succeeded after retries\ntotal.dead | number | new dead letters\ntotal.retries | number | attempts that failed and are followed by another one\ntotal.retry_ratio | number or null | retries per finished job; null: no job finished\ntime_to_success | map | seconds from submission to success; null: no job succeeded\ntime_to_success.samples | number | jobs whose submission is known\ntime_to_success.p50 | number or null | the median\ntime_to_success.p95 | number or null | the 95th percentile\ntime_to_success.p99 | number or null | the 99th percentile\nqueues | list | at most 50 queues, where the submission of the job is known\nqueues[].queue | text | its name\nqueues[].succeeded | list | successes in each of the last 30 minutes"
  },
  "metrics.show": {
    "at": "GET /v1/metrics",
    "summary": "sessions, success rate, attempts and durations, by category, policy, subsystem, operation or tenant",
    "role": "viewer",
    "details": "It reads the whole audit log: jobs, and calls in process with an audit sink. Cancelled sessions, and messages that never ran, are left out. A session that was requeued and ended again counts twice. Imported sessions count at their own times; imported metrics count if their whole window is inside and no other session ended in it, without category, operation and tenant. A policy without an id has its hash. A dimension has 1,000 names at most, and `_other` for the rest. Live metrics are at /metrics of a worker.",
    "reads": "metrics",
    "input": [
      {
        "name": "since",
        "summary": "sessions that ended at this time or later; 2h: within the last 2 hours; default 24h"
      },
      {
        "name": "until",
        "summary": "sessions that ended before this time; default now"
      }
    ],
    "json": "time_window_start | time | the begin of the window\ntime_window_end | time | the end of the window\ntotal_sessions | number | sessions that ended in the window\nsuccessful_sessions | number | sessions that succeeded\nfailed_sessions | number | sessions that were given up\ntotal_attempts | number | attempts of these sessions, the first ones included\naverage_attempts_per_session | number | attempts per session; 0: there are no sessions\nmax_attempts_in_session | number | the most attempts of one session\ntotal_duration | number | seconds from the submission of each session to its end, added up\naverage_duration_per_session | number | in seconds\nby_policy | object | of each policy, by its id: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`\nby_subsystem | object | of each subsystem of `subsystem_mappings`, or the part of the operation's name before a dot: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`\nby_category | object | of each category, without sessions too (rates are `null` then); `\"\"`: sessions without a category: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`\nby_operation | object | of each operation or handler: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`\nby_tenant | object | of each tenant; `\"\"`: sessions without a tenant: `sessions`, `total_attempts`, `success_rate` (0 to 1) and `average_attempts`\nimported | map | what is imported\nimported.sessions | number | imported sessions\nimported.windows | number | imported metrics of time windows\nimported.window_sessions | number | the sessions of these windows\nimported.windows_left_out | number | windows that are not wholly inside, or have sessions of their own"
  },
  "operations.list": {
    "at": "GET /v1/operations",
    "summary": "list bulk operations, the newest first",
    "role": "viewer",
    "details": "A finished bulk operation is kept for 30 days.",
    "reads": "metrics",
    "input": [
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "operations | list | newest first\noperations[].id | text | its id\noperations[].act | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\noperations[].state | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\noperations[].by | text | the operator who started it\noperations[].why | text or null | the reason that was given then\noperations[].changes | list | its start, then the newest changes of its state until it finished, the oldest first\noperations[].changes[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\noperations[].changes[].at | time or null | since when; null: not known\noperations[].changes[].by | text | who changed it: an operator, or the worker where its ramp stopped it\noperations[].changes[].why | text or null | the reason that was given\noperations[].started_at | time or null | when it was started; null: not known\noperations[].updated_at | time or null | time of its newest step; null: not known\noperations[].done | number | jobs that were changed\noperations[].refused | number | jobs whose state did not allow it\noperations[].total | number or null | jobs in all; null: not known\noperations[].total_bounded | boolean | true: there are more than `total`\noperations[].followed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\noperations[].in_flight | number | jobs that were requeued and have made no attempt yet\noperations[].succeeded | number | requeued jobs whose first attempt succeeded\noperations[].came_back | number | requeued jobs whose first attempt failed\noperations[].rate | number or null | jobs per second at most; null: no limit\noperations[].max_in_flight | number or null | null: no limit\noperations[].ramp | map or null | its stages; null: it has none\noperations[].ramp.stages | list | the sizes of its stages\noperations[].ramp.stop_share | number | it stops if a larger share of a stage fails again\noperations[].ramp.stage | number | the current stage, from 1\noperations[].ramp.sent | number | jobs of this stage that were sent\noperations[].ramp.succeeded | number | of these, those that succeeded\noperations[].ramp.came_back | number | of these, those that failed again\noperations[].in_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\noperations[].runner | text or null | the process that carries it out; null: none at the moment\noperations[].has_worker | boolean or null | whether a live worker could carry it out; null: not known\noperations[].time_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "operations.show": {
    "at": "GET /v1/operations/:id",
    "summary": "print a bulk operation: its request, its progress, and the jobs that failed again",
    "role": "viewer",
    "reads": "metrics",
    "refusals": {
      "no_match": "there is no bulk operation with that id"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the bulk operation, printed by the command that started it"
      }
    ],
    "json": "id | text | its id\nact | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstate | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nby | text | the operator who started it\nwhy | text or null | the reason that was given then\nchanges | list | its start, then the newest changes of its state until it finished, the oldest first\nchanges[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nchanges[].at | time or null | since when; null: not known\nchanges[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nchanges[].why | text or null | the reason that was given\nstarted_at | time or null | when it was started; null: not known\nupdated_at | time or null | time of its newest step; null: not known\ndone | number | jobs that were changed\nrefused | number | jobs whose state did not allow it\ntotal | number or null | jobs in all; null: not known\ntotal_bounded | boolean | true: there are more than `total`\nfollowed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nin_flight | number | jobs that were requeued and have made no attempt yet\nsucceeded | number | requeued jobs whose first attempt succeeded\ncame_back | number | requeued jobs whose first attempt failed\nrate | number or null | jobs per second at most; null: no limit\nmax_in_flight | number or null | null: no limit\nramp | map or null | its stages; null: it has none\nramp.stages | list | the sizes of its stages\nramp.stop_share | number | it stops if a larger share of a stage fails again\nramp.stage | number | the current stage, from 1\nramp.sent | number | jobs of this stage that were sent\nramp.succeeded | number | of these, those that succeeded\nramp.came_back | number | of these, those that failed again\nin_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nrunner | text or null | the process that carries it out; null: none at the moment\nhas_worker | boolean or null | whether a live worker could carry it out; null: not known\ntime_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nrequest | object | the stored request: the act and its target\nstopped_by | list | what keeps some of its jobs in flight from starting\nstopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nstopped_by[].what | text | what stops them, in words\nstopped_by[].since | time or null | since when; null: not known\nstopped_by[].by | text or null | who stopped them; null: no person\nstopped_by[].why | text or null | the reason that was given\nstopped_by[].next | text | the command that lets them start"
  },
  "operations.plan": {
    "at": "POST /v1/operations/plan",
    "summary": "predict a bulk operation: eligible jobs, refusals with reasons, samples; changes nothing",
    "role": "operator",
    "reads": "sessions",
    "input": [
      {
        "name": "act",
        "summary": "requeue, reset, purge or restore dead letters; cancel jobs",
        "choices": [
          "requeue",
          "reset",
          "purge",
          "restore",
          "cancel"
        ]
      },
      {
        "name": "of",
        "summary": "the items that the filter selects; default: dead_letters; for cancel: jobs",
        "choices": [
          "dead_letters",
          "jobs"
        ]
      },
      {
        "name": "ids",
        "summary": "ids; without ids, a filter selects them"
      },
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "state",
        "summary": "only jobs in this state, with `of` jobs",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ]
      },
      {
        "name": "all",
        "summary": "all dead letters, or all that match the filter"
      },
      {
        "name": "limit",
        "summary": "at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit"
      },
      {
        "name": "purge",
        "summary": "restore only: all letters of this purge, by the id of its bulk operation; with --detach at most 1,000"
      },
      {
        "name": "cut_off",
        "summary": "letters that die at this time or later are left out; default: now"
      },
      {
        "name": "deadline",
        "summary": "deadline of the new generation: a time, or +2h"
      }
    ],
    "json": "done | number | letters that would be changed\nrefused | number | letters that would be refused\nrefusals | list | the first 100 of them\nrefusals[].id | text | its id\nrefusals[].refusal | text | why: not_found, illegal (its state does not allow it), unique_conflict or changed\nrefusals[].note | text | the same in words\nsample_ids | list of texts | the first ten that would be changed\nmore | boolean | true: more letters match the filter than the plan contains\ncut_off | time or null | letters that died at this time or later are left out; null: there was no plan\nstopped_by | list | requeue only: what will keep some of the jobs from starting\nstopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nstopped_by[].what | text | what stops them, in words\nstopped_by[].since | time or null | since when; null: not known\nstopped_by[].by | text or null | who stopped them; null: no person\nstopped_by[].why | text or null | the reason that was given\nstopped_by[].next | text | the command that lets them start\nact | text | requeue, reset, purge, restore or cancel\nsamples | list | five jobs that would be changed, from the first to the last\nsamples[].id | text | sorts by time of creation\nsamples[].handler | text | the handler of the job\nsamples[].subsystem | text | the first part of the handler's name\nsamples[].state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\nsamples[].queue | text | the queue\nsamples[].tenant | text or null | the tenant of the job; tenants take turns\nsamples[].priority | number | higher first\nsamples[].tags | list of texts | texts\nsamples[].retry_count | number | retries after charged attempts; 0 again after success\nsamples[].next_retry_at | time or null | when a scheduled or parked job is due\nsamples[].error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\nsamples[].reason | text or null | reason code of the current state\nsamples[].cause | text or null | what a parked job waits for\nsamples[].submitted_at | time | when it was enqueued\nsamples[].submitted_date | time | the same time\nsamples[].deadline | time or null | no attempt starts after it\nsamples[].finished_at | time or null | when it finished\nsamples[].generation | number | from 1; each requeue increments it\nsamples[].attempts_made | number | attempts in this generation, the running one included\nsamples[].worker | text or null | the worker that runs it now\nsamples[].cancel_requested | boolean | true: the job runs, and a cancellation was requested\nsamples[].session_id | text | the id of the job, or of the call that handed it over\nsamples[].correlation_id | text | as given, else the session id\nsamples[].policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\nsamples[].batch | text or null | id of the batch that counts it\nsamples[].unique_key | text or null | the unique key: at most one unfinished job has it\nsamples[].last_error | map or null | the newest attempt's error\nsamples[].last_error.type | text | its type\nsamples[].last_error.message | text | its message\nsamples[].fingerprint | text or null | fingerprint of its cause, for --group\nsamples[].came_back | boolean | true: it was requeued, and died again"
  },
  "operations.submit": {
    "at": "POST /v1/operations",
    "summary": "submit a bulk operation, which workers carry out; the same id again submits nothing new",
    "role": "operator",
    "details": "With ids it acts at once. A filter needs `confirm`: without it the operation is refused, and the refusal has the plan. With `wait` the server carries it out for two seconds; while the answer says `running`, send the same `id`, `act`, `ids` and `wait` again.",
    "acts": true,
    "reason": true,
    "verdict": true,
    "refusals": {
      "no_match": "no dead letter has these ids or matches the filter",
      "refused": "the filter matches letters, and the confirmation (--confirm or --yes) is missing",
      "conflict": "the state of the letters does not allow it, or the id of --operation belongs to another bulk operation"
    },
    "input": [
      {
        "name": "act",
        "summary": "requeue, reset, purge or restore dead letters; cancel jobs",
        "choices": [
          "requeue",
          "reset",
          "purge",
          "restore",
          "cancel"
        ]
      },
      {
        "name": "of",
        "summary": "the items that the filter selects; default: dead_letters; for cancel: jobs",
        "choices": [
          "dead_letters",
          "jobs"
        ]
      },
      {
        "name": "ids",
        "summary": "ids; without ids, a filter selects them"
      },
      {
        "name": "handler",
        "summary": "only letters of this handler"
      },
      {
        "name": "queue",
        "summary": "only letters of this queue"
      },
      {
        "name": "tenant",
        "summary": "only letters of this tenant"
      },
      {
        "name": "tag",
        "summary": "only letters with this tag"
      },
      {
        "name": "session",
        "summary": "only letters of this session"
      },
      {
        "name": "group",
        "summary": "only letters with this cause: see \"redrive dlq groups\""
      },
      {
        "name": "reason_code",
        "summary": "only letters with this reason code, such as max_attempts_exceeded",
        "choices": [
          "final_error",
          "max_attempts_exceeded",
          "ttl_exceeded",
          "effect_unknown",
          "effect_applied",
          "lease_lost",
          "inner_gave_up",
          "allowance_exhausted",
          "beyond_horizon",
          "budget_exhausted",
          "breaker_open",
          "invalid_message",
          "message_too_large",
          "idempotency_conflict",
          "policy_disabled",
          "kill_switch"
        ]
      },
      {
        "name": "class",
        "summary": "only letters with an error of this class",
        "choices": [
          "final",
          "retryable",
          "rate_limited"
        ]
      },
      {
        "name": "text",
        "summary": "only letters whose cause contains this text"
      },
      {
        "name": "since",
        "summary": "died at this time or later; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "died before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "state",
        "summary": "only jobs in this state, with `of` jobs",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ]
      },
      {
        "name": "all",
        "summary": "all dead letters, or all that match the filter"
      },
      {
        "name": "limit",
        "summary": "at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit"
      },
      {
        "name": "purge",
        "summary": "restore only: all letters of this purge, by the id of its bulk operation; with --detach at most 1,000"
      },
      {
        "name": "cut_off",
        "summary": "letters that die at this time or later are left out; default: now"
      },
      {
        "name": "deadline",
        "summary": "deadline of the new generation: a time, or +2h"
      },
      {
        "name": "id",
        "summary": "id of the bulk operation; the same id again continues it and repeats nothing; default: a new id"
      },
      {
        "name": "confirm",
        "summary": "the confirmation of a filter: the number of letters that the plan says, or any for any number"
      },
      {
        "name": "wait",
        "summary": "true: the answer comes when it has ended, or after two seconds; the same id again continues it. false: workers do it"
      },
      {
        "name": "rate",
        "summary": "letters per second at most, such as 50/s; default: no limit"
      },
      {
        "name": "ramp",
        "summary": "sizes of the first stages, such as 1,10,100, then all; the next stage begins when enough jobs of a stage succeed; none: all at once"
      },
      {
        "name": "stop_share",
        "summary": "stop when more than this share of a stage fails again; default 0.2"
      },
      {
        "name": "max_in_flight",
        "summary": "requeued jobs without a result at one time, 1 to 2,000"
      }
    ],
    "json": "act | text | requeue, reset, purge, restore or cancel\noperation | text or null | id of the bulk operation; null: nothing was begun\ndone | number | letters that were changed, or would be\nrefused | number | letters that were refused, or would be\nrefusals | list | the first 100 refused letters, each with `id`, `refusal` and a `note` in words\nrefusals[].id | text | its id\nrefusals[].refusal | text | why: not_found, illegal (its state does not allow it), unique_conflict or changed\nrefusals[].note | text | the same in words\nfinished | boolean | false: it still runs, was stopped, or is a dry run\nstate | text or null | running, paused, stopped (by its ramp), aborted or finished; null: nothing was begun\nin_flight | number or null | jobs that were requeued and have made no attempt yet; null: results are not observed\nsucceeded | number or null | jobs whose first attempt succeeded; null: results are not observed\ncame_back | number or null | jobs whose first attempt failed; null: results are not observed\nalready_done | boolean | true: an earlier submission did it, and nothing was changed now\nmore | boolean | true: more letters match the filter than the plan contains\ncut_off | time or null | letters that died at this time or later are left out; null: there was no plan\nrestorable_until | time or null | purge only: the letters can be restored until then\nplan | map or null | of a filter, or of a dry run; null: none was made\nplan.done | number | letters that would be changed\nplan.refused | number | letters that would be refused\nplan.refusals | list | the first 100 of them\nplan.refusals[].id | text | its id\nplan.refusals[].refusal | text | why: not_found, illegal (its state does not allow it), unique_conflict or changed\nplan.refusals[].note | text | the same in words\nplan.sample_ids | list of texts | the first ten that would be changed\nplan.more | boolean | true: more letters match the filter than the plan contains\nplan.cut_off | time or null | letters that died at this time or later are left out; null: there was no plan\nplan.stopped_by | list | requeue only: what will keep some of the jobs from starting\nplan.stopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nplan.stopped_by[].what | text | what stops them, in words\nplan.stopped_by[].since | time or null | since when; null: not known\nplan.stopped_by[].by | text or null | who stopped them; null: no person\nplan.stopped_by[].why | text or null | the reason that was given\nplan.stopped_by[].next | text | the command that lets them start\nstopped_by | list | requeue only: what keeps some of the jobs from starting\nstopped_by[].kind | \"kill_switch\", \"pause\", \"parked\" or \"no_worker\" | parked: under an open breaker, a closed gate, or by an operator\nstopped_by[].what | text | what stops them, in words\nstopped_by[].since | time or null | since when; null: not known\nstopped_by[].by | text or null | who stopped them; null: no person\nstopped_by[].why | text or null | the reason that was given\nstopped_by[].next | text | the command that lets them start\nwithout_stages | boolean | true: without a worker no stage gets its results, so the stages were left out\nstatus | map or null | the stored bulk operation; null: nothing was begun\nstatus.id | text | its id\nstatus.act | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstatus.state | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nstatus.by | text | the operator who started it\nstatus.why | text or null | the reason that was given then\nstatus.changes | list | its start, then the newest changes of its state until it finished, the oldest first\nstatus.changes[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nstatus.changes[].at | time or null | since when; null: not known\nstatus.changes[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nstatus.changes[].why | text or null | the reason that was given\nstatus.started_at | time or null | when it was started; null: not known\nstatus.updated_at | time or null | time of its newest step; null: not known\nstatus.done | number | jobs that were changed\nstatus.refused | number | jobs whose state did not allow it\nstatus.total | number or null | jobs in all; null: not known\nstatus.total_bounded | boolean | true: there are more than `total`\nstatus.followed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nstatus.in_flight | number | jobs that were requeued and have made no attempt yet\nstatus.succeeded | number | requeued jobs whose first attempt succeeded\nstatus.came_back | number | requeued jobs whose first attempt failed\nstatus.rate | number or null | jobs per second at most; null: no limit\nstatus.max_in_flight | number or null | null: no limit\nstatus.ramp | map or null | its stages; null: it has none\nstatus.ramp.stages | list | the sizes of its stages\nstatus.ramp.stop_share | number | it stops if a larger share of a stage fails again\nstatus.ramp.stage | number | the current stage, from 1\nstatus.ramp.sent | number | jobs of this stage that were sent\nstatus.ramp.succeeded | number | of these, those that succeeded\nstatus.ramp.came_back | number | of these, those that failed again\nstatus.in_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nstatus.runner | text or null | the process that carries it out; null: none at the moment\nstatus.has_worker | boolean or null | whether a live worker could carry it out; null: not known\nstatus.time_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nstatus.request | object | the stored request: the act and its target\ndry_run | boolean | true: nothing was changed"
  },
  "operations.pause": {
    "at": "POST /v1/operations/:id/pause",
    "summary": "pause a bulk operation until it is resumed",
    "role": "operator",
    "details": "Jobs that are requeued already run as before.",
    "acts": true,
    "refusals": {
      "no_match": "there is no bulk operation with that id",
      "conflict": "the state of the bulk operation does not allow it"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the bulk operation, printed by the command that started it"
      }
    ],
    "json": "id | text | its id\nact | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstate | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nby | text | the operator who started it\nwhy | text or null | the reason that was given then\nchanges | list | its start, then the newest changes of its state until it finished, the oldest first\nchanges[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nchanges[].at | time or null | since when; null: not known\nchanges[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nchanges[].why | text or null | the reason that was given\nstarted_at | time or null | when it was started; null: not known\nupdated_at | time or null | time of its newest step; null: not known\ndone | number | jobs that were changed\nrefused | number | jobs whose state did not allow it\ntotal | number or null | jobs in all; null: not known\ntotal_bounded | boolean | true: there are more than `total`\nfollowed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nin_flight | number | jobs that were requeued and have made no attempt yet\nsucceeded | number | requeued jobs whose first attempt succeeded\ncame_back | number | requeued jobs whose first attempt failed\nrate | number or null | jobs per second at most; null: no limit\nmax_in_flight | number or null | null: no limit\nramp | map or null | its stages; null: it has none\nramp.stages | list | the sizes of its stages\nramp.stop_share | number | it stops if a larger share of a stage fails again\nramp.stage | number | the current stage, from 1\nramp.sent | number | jobs of this stage that were sent\nramp.succeeded | number | of these, those that succeeded\nramp.came_back | number | of these, those that failed again\nin_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nrunner | text or null | the process that carries it out; null: none at the moment\nhas_worker | boolean or null | whether a live worker could carry it out; null: not known\ntime_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nrequest | object | the stored request: the act and its target\nchanged | boolean | false: it stays as it was, or would\ndry_run | boolean | true: nothing was changed"
  },
  "operations.resume": {
    "at": "POST /v1/operations/:id/resume",
    "summary": "resume a bulk operation that is paused or was stopped by its ramp",
    "role": "operator",
    "details": "After a stop by its ramp it begins again at the first stage, and includes the jobs that failed again. Any running \"redrive start\" carries it out.",
    "acts": true,
    "refusals": {
      "no_match": "there is no bulk operation with that id",
      "conflict": "the state of the bulk operation does not allow it"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the bulk operation, printed by the command that started it"
      }
    ],
    "json": "id | text | its id\nact | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstate | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nby | text | the operator who started it\nwhy | text or null | the reason that was given then\nchanges | list | its start, then the newest changes of its state until it finished, the oldest first\nchanges[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nchanges[].at | time or null | since when; null: not known\nchanges[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nchanges[].why | text or null | the reason that was given\nstarted_at | time or null | when it was started; null: not known\nupdated_at | time or null | time of its newest step; null: not known\ndone | number | jobs that were changed\nrefused | number | jobs whose state did not allow it\ntotal | number or null | jobs in all; null: not known\ntotal_bounded | boolean | true: there are more than `total`\nfollowed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nin_flight | number | jobs that were requeued and have made no attempt yet\nsucceeded | number | requeued jobs whose first attempt succeeded\ncame_back | number | requeued jobs whose first attempt failed\nrate | number or null | jobs per second at most; null: no limit\nmax_in_flight | number or null | null: no limit\nramp | map or null | its stages; null: it has none\nramp.stages | list | the sizes of its stages\nramp.stop_share | number | it stops if a larger share of a stage fails again\nramp.stage | number | the current stage, from 1\nramp.sent | number | jobs of this stage that were sent\nramp.succeeded | number | of these, those that succeeded\nramp.came_back | number | of these, those that failed again\nin_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nrunner | text or null | the process that carries it out; null: none at the moment\nhas_worker | boolean or null | whether a live worker could carry it out; null: not known\ntime_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nrequest | object | the stored request: the act and its target\nchanged | boolean | false: it stays as it was, or would\ndry_run | boolean | true: nothing was changed"
  },
  "operations.abort": {
    "at": "POST /v1/operations/:id/abort",
    "summary": "abort a bulk operation for good; finished changes stay",
    "role": "operator",
    "acts": true,
    "refusals": {
      "no_match": "there is no bulk operation with that id",
      "conflict": "the state of the bulk operation does not allow it"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the bulk operation, printed by the command that started it"
      }
    ],
    "json": "id | text | its id\nact | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstate | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nby | text | the operator who started it\nwhy | text or null | the reason that was given then\nchanges | list | its start, then the newest changes of its state until it finished, the oldest first\nchanges[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nchanges[].at | time or null | since when; null: not known\nchanges[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nchanges[].why | text or null | the reason that was given\nstarted_at | time or null | when it was started; null: not known\nupdated_at | time or null | time of its newest step; null: not known\ndone | number | jobs that were changed\nrefused | number | jobs whose state did not allow it\ntotal | number or null | jobs in all; null: not known\ntotal_bounded | boolean | true: there are more than `total`\nfollowed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nin_flight | number | jobs that were requeued and have made no attempt yet\nsucceeded | number | requeued jobs whose first attempt succeeded\ncame_back | number | requeued jobs whose first attempt failed\nrate | number or null | jobs per second at most; null: no limit\nmax_in_flight | number or null | null: no limit\nramp | map or null | its stages; null: it has none\nramp.stages | list | the sizes of its stages\nramp.stop_share | number | it stops if a larger share of a stage fails again\nramp.stage | number | the current stage, from 1\nramp.sent | number | jobs of this stage that were sent\nramp.succeeded | number | of these, those that succeeded\nramp.came_back | number | of these, those that failed again\nin_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nrunner | text or null | the process that carries it out; null: none at the moment\nhas_worker | boolean or null | whether a live worker could carry it out; null: not known\ntime_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nrequest | object | the stored request: the act and its target\nchanged | boolean | false: it stays as it was, or would\ndry_run | boolean | true: nothing was changed"
  },
  "operations.setRate": {
    "at": "POST /v1/operations/:id/rate",
    "summary": "change the rate of a bulk operation: jobs per second at most",
    "role": "operator",
    "acts": true,
    "refusals": {
      "no_match": "there is no bulk operation with that id",
      "conflict": "the state of the bulk operation does not allow it"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the bulk operation, printed by the command that started it"
      },
      {
        "name": "rate",
        "summary": "jobs per second, such as 50/s; null: no limit"
      }
    ],
    "json": "id | text | its id\nact | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)\nstate | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | stopped: by its ramp, because too many jobs failed again\nby | text | the operator who started it\nwhy | text or null | the reason that was given then\nchanges | list | its start, then the newest changes of its state until it finished, the oldest first\nchanges[].to | \"running\", \"paused\", \"stopped\", \"aborted\" or \"finished\" | the state\nchanges[].at | time or null | since when; null: not known\nchanges[].by | text | who changed it: an operator, or the worker where its ramp stopped it\nchanges[].why | text or null | the reason that was given\nstarted_at | time or null | when it was started; null: not known\nupdated_at | time or null | time of its newest step; null: not known\ndone | number | jobs that were changed\nrefused | number | jobs whose state did not allow it\ntotal | number or null | jobs in all; null: not known\ntotal_bounded | boolean | true: there are more than `total`\nfollowed | boolean | true: the results of its jobs are observed, as with a ramp; the next three count them\nin_flight | number | jobs that were requeued and have made no attempt yet\nsucceeded | number | requeued jobs whose first attempt succeeded\ncame_back | number | requeued jobs whose first attempt failed\nrate | number or null | jobs per second at most; null: no limit\nmax_in_flight | number or null | null: no limit\nramp | map or null | its stages; null: it has none\nramp.stages | list | the sizes of its stages\nramp.stop_share | number | it stops if a larger share of a stage fails again\nramp.stage | number | the current stage, from 1\nramp.sent | number | jobs of this stage that were sent\nramp.succeeded | number | of these, those that succeeded\nramp.came_back | number | of these, those that failed again\nin_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago\nrunner | text or null | the process that carries it out; null: none at the moment\nhas_worker | boolean or null | whether a live worker could carry it out; null: not known\ntime_left | number or null | estimated seconds, at the speed of the last minute; null: not known\nrequest | object | the stored request: the act and its target\nchanged | boolean | false: it stays as it was, or would\ndry_run | boolean | true: nothing was changed"
  },
  "park.list": {
    "at": "GET /v1/parks",
    "summary": "list the causes that jobs are parked for: since when, how many jobs, next probe",
    "role": "viewer",
    "details": "A cause is an open breaker, a closed gate, or a kill switch that was released with --pace. When the cause is gone, its jobs are released automatically, at a growing pace.",
    "reads": "metrics",
    "input": [],
    "json": "causes | list | by name; empty: no job is parked\ncauses[].cause | text | its short name, for commands\ncauses[].key | text | the full name, as it is stored with the jobs\ncauses[].count | number | jobs, counted up to 10,000\ncauses[].bounded | boolean | true: there are more\ncauses[].since | time or null | null: not known\ncauses[].waits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\ncauses[].dependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\ncauses[].until | time or null | when a gate opens\ncauses[].next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler\ncauses[].probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\ncauses[].held_by | text or null | the operator who holds them\ncauses[].held_why | text or null | the reason that was given\ncauses[].pace | number or null | jobs per second that are released now; null: none, or no live worker has their handler\ncauses[].has_worker | boolean | false: no live worker has the handlers of parked jobs, so none is released"
  },
  "park.release": {
    "at": "POST /v1/parks/release",
    "summary": "make parked jobs of a cause ready: all, some, or at a pace",
    "role": "operator",
    "details": "It ends a hold, unless --count is given. If the cause still exists, the jobs are parked again when they are claimed: first force the breaker closed, or open the gate. With --pace the jobs are released when the cause is gone.",
    "acts": true,
    "refusals": {
      "no_match": "no job is parked for that cause"
    },
    "input": [
      {
        "name": "cause",
        "summary": "the cause, such as breaker:bank: its short name or the full one"
      },
      {
        "name": "count",
        "summary": "at most this many, the longest parked first"
      },
      {
        "name": "pace",
        "summary": "release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail"
      }
    ],
    "json": "cause | text | its short name\nreleased | number | jobs that are ready now, or would be\nmore | boolean | true: the cause has more parked jobs\npace | number or null | jobs per second at first; null: without a pace\nwaits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\ndependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\nhas_worker | boolean | false: no live worker has the handlers of parked jobs, so they wait for one\ndry_run | boolean | true: nothing was changed"
  },
  "park.hold": {
    "at": "POST /v1/parks/hold",
    "summary": "hold the jobs of a cause: they stay parked even when the cause is gone",
    "role": "operator",
    "details": "The hold applies to the jobs that are parked for the cause now and later. A new job runs normally if the cause is gone. Each job is held for a day at most; to stop jobs for longer, pause their queue or handler.",
    "acts": true,
    "refusals": {
      "no_match": "no job is parked for that cause"
    },
    "input": [
      {
        "name": "cause",
        "summary": "the cause, such as breaker:bank: its short name or the full one"
      }
    ],
    "json": "cause | text | its short name\nheld | boolean | whether it is held now\nheld_by | text or null | who holds it, or held it; null: nobody\nchanged | boolean | false: it was in that state already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "park.endHold": {
    "at": "POST /v1/parks/end-hold",
    "summary": "end a hold: the jobs are released when the cause is gone",
    "role": "operator",
    "acts": true,
    "refusals": {
      "no_match": "no job is parked for that cause"
    },
    "input": [
      {
        "name": "cause",
        "summary": "the cause, such as breaker:bank: its short name or the full one"
      }
    ],
    "json": "cause | text | its short name\nheld | boolean | whether it is held now\nheld_by | text or null | who holds it, or held it; null: nobody\nchanged | boolean | false: it was in that state already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "policies.list": {
    "at": "GET /v1/policies",
    "summary": "list every policy: those of the file, then those of the presets",
    "role": "viewer",
    "uses": "config",
    "input": [],
    "json": "file | text or null | the configuration file; null: the presets alone\npolicies | list | the file's first, then the presets'\npolicies[].id | text | the id that look-ups and mappings use\npolicies[].name | text | the name for people\npolicies[].preset | text or null | the preset policy that it is or extends\npolicies[].enabled | boolean | false: one attempt\npolicies[].max_attempts | number | the first call included\npolicies[].jitter_type | text | how waits are spread\npolicies[].jitter_amount | number | the share of a wait that jitter may move\npolicies[].backoff_type | text | how waits grow\npolicies[].base_delay_ms | number | the base of all waits\npolicies[].first_wait_ms | number | the wait after the first failure, before jitter\npolicies[].max_delay_ms | number | the cap of every wait\npolicies[].ttl_ms | number or null | the limit of the whole session; null: none\nnext | null | always null: there is one page"
  },
  "policies.show": {
    "at": "GET /v1/policies/:policy",
    "summary": "print every value of a policy and where it came from",
    "role": "viewer",
    "details": "Names and units are those of the file: times are seconds.",
    "uses": "config",
    "refusals": {
      "no_match": "no policy, category or path has that name"
    },
    "input": [
      {
        "name": "policy",
        "summary": "a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout)"
      }
    ],
    "json": "id | text | the policy that was found\nname | text | the name for people\nmatched_by | \"policy\", \"category\", \"path\", \"group_default\" or \"global_defaults\" | the rule that found it\nrule | text | the same rule in words\npreset | text or null | the preset policy that it is or extends\nvalues | list | one per field, in the order of the file format\nvalues[].field | text | its name in files\nvalues[].value | any | any JSON, in the unit of the file; null is \"no limit\"\nvalues[].unit | \"seconds\" or null | unit of a number\nvalues[].source | \"flag\", \"environment\", \"file\", \"preset\" or \"default\" | the kind of source: flag, environment, file, preset or default\nvalues[].where | text | the source: `redrive.yaml:12`, a variable, a preset"
  },
  "policies.explain": {
    "at": "GET /v1/policies/:policy/explain",
    "summary": "say which policy applies, how long each wait is and when it gives up",
    "role": "viewer",
    "uses": "config",
    "refusals": {
      "no_match": "no policy, category or path has that name"
    },
    "input": [
      {
        "name": "policy",
        "summary": "a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout)"
      }
    ],
    "json": "id | text | the policy that was found\nname | text | the name for people\nmatched_by | \"policy\", \"category\", \"path\", \"group_default\" or \"global_defaults\" | the rule that found it\nrule | text | the same rule in words\npreset | text or null | the preset policy that it is or extends\ndescription | text | when to use it\nenabled | boolean | false: one attempt\nmax_attempts | number | the first call included\njitter_type | text | how waits are spread\njitter_amount | number | the share of a wait that jitter may move\nbackoff_type | text | how waits grow\nbackoff_multiplier | number | the growth of exponential waits\nschedule_length | number | waits that the file lists; 0: the back-off is no schedule\nimmediate_first_retry | boolean | whether the first wait is 0\ndelays_ms | list | one per wait; at most 1,000\ndelays_ms[].attempt | number | the attempt that follows the wait\ndelays_ms[].nominal | number | the wait before jitter, in whole ms\ndelays_ms[].min | number | the least that jitter may make of it\ndelays_ms[].max | number | the most that jitter may make of it\ndelays_truncated | boolean | whether there are more waits than are listed\ntotal_nominal_ms | number | all waits together, before jitter\ntotal_min_ms | number | all waits together, at the least\ntotal_max_ms | number | all waits together, at the most\nttl_ms | number or null | the limit of the whole session; null: none\nattempt_timeout_ms | number or null | the limit of one attempt; null: none\nhorizon_ms | number or null | the longest wait in process; null: any\nunclassified_errors | \"retryable\" or \"final\" | class of an error that no rule matches\nattempts_within_ttl | number | attempts that start in time if each fails at once\ngives_up | text | when it gives up, in a sentence\nsources | object | where each value came from, by field\nworst_cases | list | if every call fails: one entry per declared load (`load`) with this policy as a layer\nworst_cases[].dependency | text | the dependency of the load\nworst_cases[].layers | list of texts | the policies, the outermost first\nworst_cases[].attempts | number | attempts of the stored layers together; 1: no layer is stored\nworst_cases[].calls_per_attempt | number | the largest number of attempts of an in-process layer: such layers count their retries together\nworst_cases[].calls | number | the product of the two\nworst_cases[].waits_max_ms | number | all waits, each as long as jitter allows, without the time of the calls\nworst_cases[].text | text | the same in words"
  },
  "policies.plot": {
    "at": "GET /v1/policies/plot",
    "summary": "draw the wait before each attempt, with its jitter band",
    "role": "viewer",
    "uses": "config",
    "refusals": {
      "no_match": "no policy, category or path has that name"
    },
    "input": [
      {
        "name": "names",
        "summary": "at most 20 policies; a text has commas between them"
      },
      {
        "name": "scale",
        "summary": "linear, log or auto (log where waits differ a lot)",
        "choices": [
          "auto",
          "linear",
          "log"
        ]
      }
    ],
    "json": "scale | \"linear\" or \"log\" | the scale that fits, or that was wanted\npolicies | list | in the order of the names\npolicies[].id | text | the policy that was found\npolicies[].enabled | boolean | false: one attempt\npolicies[].max_attempts | number | the first call included\npolicies[].jitter_type | text | how waits are spread\npolicies[].jitter_amount | number | the share of a wait that jitter may move\npolicies[].delays_ms | list | one per wait; at most 1,000\npolicies[].delays_ms[].attempt | number | the attempt that follows the wait\npolicies[].delays_ms[].nominal | number | the wait before jitter, in whole ms\npolicies[].delays_ms[].min | number | the least that jitter may make of it\npolicies[].delays_ms[].max | number | the most that jitter may make of it\npolicies[].total_nominal_ms | number | all waits together, before jitter"
  },
  "policies.review": {
    "at": "GET /v1/policies/review",
    "summary": "review policies by the attempts of the last 7 days: at most an hour old; with renew, made now",
    "role": "viewer",
    "reads": "sessions",
    "input": [
      {
        "name": "renew",
        "summary": "make it now, however old the last one is"
      }
    ],
    "json": "reviewed_at | time or null | null: the first review is under way\nsince | time or null | attempts from this time on were reviewed\nuntil | time or null | attempts before this time were reviewed\npolicies | list | one row for each policy and category\npolicies[].policy | text | its name, or the hash of a policy without one\npolicies[].category | text or null | of its sessions; null: they have none\npolicies[].sessions | number | sessions\npolicies[].attempts | number | attempts of these sessions\npolicies[].success_rate | number | share of sessions that succeeded, 0 to 1\npolicies[].average_attempts | number | attempts per session\npolicies[].succeeded_at | list | share of sessions that succeeded at attempt 1, 2, …, up to 10\npolicies[].configured | boolean | false: it exists in code only, and `GET /v1/policies/:policy` answers 404\nfindings | list | problems that the attempts show\nfindings[].code | text | the kind of finding: see policy-findings.md\nfindings[].policy | text | its name, or the hash of a policy without one\nfindings[].figure | text | the finding in a sentence, with its number\nfindings[].value | number | that number\nfindings[].sessions | number | sessions that it rests on\nfindings[].examples | list of texts | names of three of them\nfindings[].next | text | what to do next\nfindings[].configured | boolean | false: it exists in code only, and `GET /v1/policies/:policy` answers 404\nundecided | list | findings that the attempts can neither show nor rule out\nundecided[].code | text | the kind of finding: see policy-findings.md\nundecided[].policy | text | its name, or the hash of a policy without one\nundecided[].figure | text | what cannot be told, and why\nundecided[].sessions | number | sessions of which it cannot be told\nundecided[].configured | boolean | false: it exists in code only, and `GET /v1/policies/:policy` answers 404\nunder_way | number or null | the part of the log that a newer review has read, 0 to 1; null: none is under way"
  },
  "policies.diff": {
    "at": "GET /v1/policies/diff",
    "summary": "compare two policies: the fields and the waits that differ",
    "role": "viewer",
    "details": "Only the behaviour is compared, not ids, names and descriptions. A server knows the policies of its own configuration alone, and no files.",
    "uses": "config",
    "verdict": true,
    "refusals": {
      "no_match": "one of the policies does not exist"
    },
    "input": [
      {
        "name": "a",
        "summary": "a policy, category or path; or file:policy"
      },
      {
        "name": "b",
        "summary": "the policy to compare it with; or file:policy"
      }
    ],
    "json": "equal | boolean | whether both policies behave the same\na | text | the first policy: id, or file:id\nb | text | the second policy: id, or file:id\nfields | list | the fields that differ\nfields[].field | text | its name in files\nfields[].a | any | any JSON, in the unit of the file; null is \"no limit\"\nfields[].b | any | any JSON, in the unit of the file; null is \"no limit\"\nfields[].unit | \"seconds\" or null | unit of a number\ndelays_ms | list | the waits that differ\ndelays_ms[].attempt | number | the attempt that follows the wait\ndelays_ms[].a | map or null | null: no such attempt\ndelays_ms[].a.nominal | number | the wait before jitter, in whole ms\ndelays_ms[].a.min | number | the least that jitter may make of it\ndelays_ms[].a.max | number | the most that jitter may make of it\ndelays_ms[].b | map or null | null: no such attempt\ndelays_ms[].b.nominal | number | the wait before jitter, in whole ms\ndelays_ms[].b.min | number | the least that jitter may make of it\ndelays_ms[].b.max | number | the most that jitter may make of it"
  },
  "queues.list": {
    "at": "GET /v1/queues",
    "summary": "list the queues that have jobs or are paused",
    "role": "viewer",
    "reads": "metrics",
    "input": [],
    "json": "queues | list | by name\nqueues[].queue | text | its name\nqueues[].paused | boolean | true: none of its jobs is started\nqueues[].states | map | jobs in each state\nqueues[].states.scheduled | number | wait until they are due\nqueues[].states.ready | number | may start\nqueues[].states.parked | number | wait for a cause, such as an open breaker\nqueues[].states.leased | number | run now\nqueues[].states.succeeded | number | done\nqueues[].states.dead | number | given up\nqueues[].states.cancelled | number | cancelled by a person or a program\nqueues[].states.purged | number | deleted, and can be restored for a while\nqueues[].bounded | list of texts | the states in which there are more jobs than counted\nbounded | boolean | true: counting stopped, and there are more\npaused | list | paused queues, handlers and schedules; running jobs finish\npaused[].scope | \"queue\", \"handler\" or \"schedule\" | a queue, a handler or a schedule\npaused[].name | text | its name\npaused[].since | time | when it was paused\npaused[].by | text | who paused it\npaused[].why | text or null | the reason that was given"
  },
  "queues.pause": {
    "at": "POST /v1/pauses/pause",
    "summary": "pause a queue, a handler or a schedule: none of its jobs is started",
    "role": "operator",
    "details": "Running jobs finish. New jobs can be enqueued, and wait.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such schedule"
    },
    "input": [
      {
        "name": "scope",
        "summary": "a queue, a handler or a schedule",
        "choices": [
          "queue",
          "handler",
          "schedule"
        ]
      },
      {
        "name": "name",
        "summary": "its name"
      }
    ],
    "json": "scope | \"queue\", \"handler\" or \"schedule\" | a queue, a handler or a schedule\nname | text | its name\npaused | boolean | whether it is paused now\nchanged | boolean | false: it was in that state already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "queues.resume": {
    "at": "POST /v1/pauses/resume",
    "summary": "resume a paused queue, handler or schedule",
    "role": "operator",
    "details": "Workers are notified at once.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such schedule"
    },
    "input": [
      {
        "name": "scope",
        "summary": "a queue, a handler or a schedule",
        "choices": [
          "queue",
          "handler",
          "schedule"
        ]
      },
      {
        "name": "name",
        "summary": "its name"
      }
    ],
    "json": "scope | \"queue\", \"handler\" or \"schedule\" | a queue, a handler or a schedule\nname | text | its name\npaused | boolean | whether it is paused now\nchanged | boolean | false: it was in that state already, or a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "schedules.list": {
    "at": "GET /v1/schedules",
    "summary": "list the schedules, their next and last ticks",
    "role": "viewer",
    "details": "A schedule is listed as soon as a worker that declares it has started: in redrive.yaml under schedules, or with jobs.schedule() in an application. It stays in the list with its totals when it is declared no more, until \"redrive schedules remove\".",
    "reads": "metrics",
    "input": [],
    "json": "schedules | list | by name\nschedules[].name | text | its name\nschedules[].every_ms | number or null | its interval; null: it has a cron expression\nschedules[].cron | text or null | its cron expression; null: it has an interval\nschedules[].time_zone | text or null | the time zone of the cron expression\nschedules[].handler | text | the handler of its jobs\nschedules[].queue | text | the queue of its jobs\nschedules[].tenant | text or null | the tenant of its jobs\nschedules[].priority | number | the priority of its jobs\nschedules[].overlap | \"skip\" or \"queue\" | for a tick while the job of an earlier tick is unfinished\nschedules[].missed | \"none\" or \"last\" | for ticks that passed while no worker ran, or while it was stopped\nschedules[].state | \"active\", \"stopped\" or \"no_worker\" | stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it\nschedules[].next | time or null | its next tick; null: it is stopped\nschedules[].last_tick | time or null | the last tick that was due\nschedules[].last_result | \"enqueued\", \"skipped\", \"missed\" or null | the result of that tick\nschedules[].last_job | text or null | the job that was enqueued, or that was unfinished\nschedules[].holder | text | the worker that enqueues its ticks\nschedules[].totals | object | ticks that were enqueued, skipped and missed, and counts that its handler adds\nschedules[].stopped_as | \"pause\", \"kill_switch\" or null | what stops it; null: it is not stopped\nschedules[].stopped_by | text or null | who stopped it\nschedules[].stopped_why | text or null | the reason that was given"
  },
  "schedules.show": {
    "at": "GET /v1/schedules/:name",
    "summary": "show a schedule with its next ticks",
    "role": "viewer",
    "reads": "payloads",
    "refusals": {
      "no_match": "there is no such schedule"
    },
    "input": [
      {
        "name": "name",
        "summary": "the name of the schedule"
      }
    ],
    "json": "name | text | its name\nevery_ms | number or null | its interval; null: it has a cron expression\ncron | text or null | its cron expression; null: it has an interval\ntime_zone | text or null | the time zone of the cron expression\nhandler | text | the handler of its jobs\nqueue | text | the queue of its jobs\ntenant | text or null | the tenant of its jobs\npriority | number | the priority of its jobs\noverlap | \"skip\" or \"queue\" | for a tick while the job of an earlier tick is unfinished\nmissed | \"none\" or \"last\" | for ticks that passed while no worker ran, or while it was stopped\nstate | \"active\", \"stopped\" or \"no_worker\" | stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it\nnext | time or null | its next tick; null: it is stopped\nlast_tick | time or null | the last tick that was due\nlast_result | \"enqueued\", \"skipped\", \"missed\" or null | the result of that tick\nlast_job | text or null | the job that was enqueued, or that was unfinished\nholder | text | the worker that enqueues its ticks\ntotals | object | ticks that were enqueued, skipped and missed, and counts that its handler adds\nstopped_as | \"pause\", \"kill_switch\" or null | what stops it; null: it is not stopped\nstopped_by | text or null | who stopped it\nstopped_why | text or null | the reason that was given\npayload | text or null | the payload of its jobs, as JSON text; without secrets for other roles than admin"
  },
  "schedules.run": {
    "at": "POST /v1/schedules/:name/run",
    "summary": "enqueue the job of a schedule now",
    "role": "operator",
    "details": "The ticks of the schedule stay as they are. It also works while the schedule is paused.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such schedule",
      "conflict": "its overlap is skip, and a job of it is unfinished"
    },
    "input": [
      {
        "name": "name",
        "summary": "the name of the schedule"
      }
    ],
    "json": "name | text | its name\njob | text or null | the id of the new job; null: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "schedules.remove": {
    "at": "POST /v1/schedules/:name/remove",
    "summary": "remove a schedule that no process declares any more, with its totals and its pause",
    "role": "admin",
    "details": "Its jobs stay. It is refused while the configuration has the schedule, and while the worker runs that enqueues its ticks. A process that still declares it creates it again.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such schedule",
      "conflict": "the configuration has it, or a worker that declares it runs"
    },
    "input": [
      {
        "name": "name",
        "summary": "the name of the schedule"
      }
    ],
    "json": "name | text | its name\nremoved | boolean | false: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "sessions.list": {
    "at": "GET /v1/sessions",
    "summary": "sessions of jobs that ran, in the shape session/v1, the newest submission first",
    "role": "viewer",
    "reads": "sessions",
    "input": [
      {
        "name": "state",
        "summary": "only jobs in this state; may be repeated",
        "choices": [
          "scheduled",
          "ready",
          "parked",
          "leased",
          "succeeded",
          "dead",
          "cancelled",
          "purged"
        ],
        "repeats": true
      },
      {
        "name": "handler",
        "summary": "only jobs of this handler"
      },
      {
        "name": "queue",
        "summary": "only jobs of this queue"
      },
      {
        "name": "tenant",
        "summary": "only jobs of this tenant"
      },
      {
        "name": "tag",
        "summary": "only jobs with this tag"
      },
      {
        "name": "batch",
        "summary": "only jobs of this batch"
      },
      {
        "name": "session",
        "summary": "only jobs of this session"
      },
      {
        "name": "since",
        "summary": "submitted after this time; 2h: within the last 2 hours"
      },
      {
        "name": "until",
        "summary": "submitted before this time; 10m: more than 10 minutes ago"
      },
      {
        "name": "limit",
        "summary": "jobs per page, 1 to 100; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      }
    ],
    "json": "sessions | list | newest submission first\nsessions[].session_id | text | its id\nsessions[].policy_id | text | name of the policy\nsessions[].operation | text | the handler\nsessions[].start_time | time | when it began\nsessions[].end_time | time | absent: it runs\nsessions[].attempts | list | the oldest first\nsessions[].attempts[].attempt_number | number | over all rungs of the session\nsessions[].attempts[].timestamp | time | when it started\nsessions[].attempts[].delay | number | seconds waited before it\nsessions[].attempts[].error | map | absent: it succeeded\nsessions[].attempts[].error.type | text | its type\nsessions[].attempts[].error.message | text | its message, secrets masked\nsessions[].attempts[].error.stack_trace | text | where it was thrown, if it is known\nsessions[].attempts[].success | boolean | true: it succeeded\nsessions[].attempts[].duration | number | in seconds\nsessions[].attempts[].context | object | absent in a session\nsessions[].attempts[].redrive | object | `rung`, where the session has attempts on several rungs\nsessions[].final_result | any | JSON; absent here: results are the data of the user\nsessions[].final_error | map | the error that it ended with\nsessions[].final_error.type | text | its type\nsessions[].final_error.message | text | its message, secrets masked\nsessions[].final_error.stack_trace | text | where it was thrown, if it is known\nsessions[].success | boolean | false while it runs\nsessions[].context | object | subsystem, job_id, queue, generation and, of a job from a source, its origin\nsessions[].total_attempts | number | the number of `attempts`\nsessions[].total_duration | number | in seconds\nsessions[].retry_count | number | attempts after the first\nsessions[].redrive | map | Redrive's own additions to the shape\nsessions[].redrive.schema_version | \"session/v1\" | the version of this shape\nsessions[].redrive.policy_hash | text | version of the policy\nsessions[].redrive.reason_code | text | why it ended; absent: it runs\nsessions[].redrive.omitted_attempts | number | attempts that are not in `attempts`\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "sessions.show": {
    "at": "GET /v1/sessions/:id",
    "summary": "show a session: its jobs, at most 100, and their attempts in the shape session/v1",
    "role": "viewer",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no such session"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of the session"
      }
    ],
    "json": "session | text | its id\njobs | list | its jobs, the newest submission first\njobs[].id | text | sorts by time of creation\njobs[].handler | text | the handler of the job\njobs[].subsystem | text | the first part of the handler's name\njobs[].state | text | scheduled, ready, parked, leased, succeeded, dead, cancelled or purged\njobs[].queue | text | the queue\njobs[].tenant | text or null | the tenant of the job; tenants take turns\njobs[].priority | number | higher first\njobs[].tags | list of texts | texts\njobs[].retry_count | number | retries after charged attempts; 0 again after success\njobs[].next_retry_at | time or null | when a scheduled or parked job is due\njobs[].error_class | text or null | class of the newest failure: final, retryable or rate_limited; null after success\njobs[].reason | text or null | reason code of the current state\njobs[].cause | text or null | what a parked job waits for\njobs[].submitted_at | time | when it was enqueued\njobs[].submitted_date | time | the same time\njobs[].deadline | time or null | no attempt starts after it\njobs[].finished_at | time or null | when it finished\njobs[].generation | number | from 1; each requeue increments it\njobs[].attempts_made | number | attempts in this generation, the running one included\njobs[].worker | text or null | the worker that runs it now\njobs[].cancel_requested | boolean | true: the job runs, and a cancellation was requested\njobs[].session_id | text | the id of the job, or of the call that handed it over\njobs[].correlation_id | text | as given, else the session id\njobs[].policy | text or null | the job's own, where it names one; of one job: else that of its newest attempt\njobs[].batch | text or null | id of the batch that counts it\njobs[].unique_key | text or null | the unique key: at most one unfinished job has it\njobs[].last_error | map or null | the newest attempt's error\njobs[].last_error.type | text | its type\njobs[].last_error.message | text | its message\nsessions | list | of each job that has made an attempt\nsessions[].session_id | text | its id\nsessions[].policy_id | text | name of the policy\nsessions[].operation | text | the handler\nsessions[].start_time | time | when it began\nsessions[].end_time | time | absent: it runs\nsessions[].attempts | list | the oldest first\nsessions[].attempts[].attempt_number | number | over all rungs of the session\nsessions[].attempts[].timestamp | time | when it started\nsessions[].attempts[].delay | number | seconds waited before it\nsessions[].attempts[].error | map | absent: it succeeded\nsessions[].attempts[].error.type | text | its type\nsessions[].attempts[].error.message | text | its message, secrets masked\nsessions[].attempts[].error.stack_trace | text | where it was thrown, if it is known\nsessions[].attempts[].success | boolean | true: it succeeded\nsessions[].attempts[].duration | number | in seconds\nsessions[].attempts[].context | object | absent in a session\nsessions[].attempts[].redrive | object | `rung`, where the session has attempts on several rungs\nsessions[].final_result | any | JSON; absent here: results are the data of the user\nsessions[].final_error | map | the error that it ended with\nsessions[].final_error.type | text | its type\nsessions[].final_error.message | text | its message, secrets masked\nsessions[].final_error.stack_trace | text | where it was thrown, if it is known\nsessions[].success | boolean | false while it runs\nsessions[].context | object | subsystem, job_id, queue, generation and, of a job from a source, its origin\nsessions[].total_attempts | number | the number of `attempts`\nsessions[].total_duration | number | in seconds\nsessions[].retry_count | number | attempts after the first\nsessions[].redrive | map | Redrive's own additions to the shape\nsessions[].redrive.schema_version | \"session/v1\" | the version of this shape\nsessions[].redrive.policy_hash | text | version of the policy\nsessions[].redrive.reason_code | text | why it ended; absent: it runs\nsessions[].redrive.omitted_attempts | number | attempts that are not in `attempts`\nmore | boolean | true: it has more jobs"
  },
  "sessions.replay": {
    "at": "GET /v1/sessions/:id/replay",
    "summary": "derive every decision of a session again and compare it with the record",
    "role": "viewer",
    "reads": "sessions",
    "verdict": true,
    "refusals": {
      "no_match": "the audit log knows no such session"
    },
    "input": [
      {
        "name": "id",
        "summary": "id of a job or of a session"
      }
    ],
    "json": "session | text | its id\nsame | boolean | true: every decision was derived again, with the same answer\nomitted | number | steps beyond the limit\nsteps | list | in the order of their times\nsteps[].time | time | the store's clock\nsteps[].event | text | what happened: enqueue, claim, settle, read, …\nsteps[].id | text | id of the job or session; for a note, its subject\nsteps[].from | text or null | the state before; null: none\nsteps[].to | text or null | the state after; null: a note\nsteps[].by | text or null | the actor: cli:user@host, a worker, …\nsteps[].why | text or null | the reason that was given\nsteps[].block | number | of the transaction that wrote it\nsteps[].revision | number | counts the job's records; 0: a note\nsteps[].token | number | of the newest lease\nsteps[].generation | number | of the job; 0: a note\nsteps[].executions | number | attempts over all generations\nsteps[].detail | object | further fields, depending on the event: see the audit log\nsteps[].decision | map or null | null: nothing was decided, or a success\nsteps[].decision.policy_hash | text | version of the policy\nsteps[].decision.policy_id | text or null | its name; null: not known\nsteps[].decision.policy | map or null | its fields by their names in code; null: not known\nsteps[].decision.policy.maxAttempts | number | attempts that may count\nsteps[].decision.policy.backoff | text | exponential, linear, fixed, immediate or list\nsteps[].decision.policy.jitter | text | its kind\nsteps[].decision.policy.baseDelayMs | number | the first wait\nsteps[].decision.policy.maxDelayMs | number | the longest wait\nsteps[].decision.policy.multiplier | number | of an exponential back-off\nsteps[].decision.policy.immediateFirstRetry | boolean | whether the first retry is immediate\nsteps[].decision.decide_version | number | version of `decide` that answered\nsteps[].decision.input | map | the input of `decide`\nsteps[].decision.input.account | map | the attempt account\nsteps[].decision.input.account.charged | number | attempts that count, this one included\nsteps[].decision.input.account.freeWaits | number | waits before it that cost no attempt\nsteps[].decision.input.outcome | map | of the attempt\nsteps[].decision.input.outcome.kind | text | success, failure, lease_lost, interrupted, blocked or unstarted\nsteps[].decision.input.outcome.errorClass | text | of a failure\nsteps[].decision.input.outcome.retryAfterMs | number | the wait that the dependency asked for\nsteps[].decision.input.timeLeftMs | number or null | until the deadline; null: it has none\nsteps[].decision.input.budgetAllows | boolean | whether the retry budget had a token\nsteps[].decision.input.breakerOpenMs | number | for how long the breaker stays open\nsteps[].decision.recorded | map | the answer then\nsteps[].decision.recorded.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.recorded.reason | text | reason code\nsteps[].decision.recorded.delay_ms | number or null | the wait that follows\nsteps[].decision.recorded.entry | text | the entry of the attempt in the account\nsteps[].decision.derived | map or null | the answer now; null: it cannot be derived\nsteps[].decision.derived.action | text | succeed, retry, hand-over, park or give-up\nsteps[].decision.derived.reason | text | reason code\nsteps[].decision.derived.delay_ms | number or null | the wait that follows\nsteps[].decision.derived.entry | text | the entry of the attempt in the account\nsteps[].decision.same | boolean | whether both are equal\nsteps[].decision.wait | map or null | how the wait came about; null: no back-off took part\nsteps[].decision.wait.nominalMs | number | by the back-off, capped, before jitter\nsteps[].decision.wait.minMs | number | the least that jitter can make of it\nsteps[].decision.wait.maxMs | number | the most\nsteps[].decision.wait.random | number | the random number, from 0 to 1\nsteps[].decision.wait.drawnMs | number | the wait that it gave\nsteps[].decision.wait.hintMs | number | the wait that the dependency asked for"
  },
  "signIns.list": {
    "at": "GET /v1/sign-ins",
    "summary": "list who is signed in, the oldest first",
    "role": "admin",
    "reads": "sessions",
    "uses": "access",
    "input": [],
    "json": "sign_ins | list | the oldest first\nsign_ins[].id | text | for \"redrive sign-ins revoke\"\nsign_ins[].name | text | who signed in: the name of the token, or local, by a link\nsign_ins[].role | \"viewer\", \"operator\" or \"admin\" | what they may do\nsign_ins[].from | text | the address of the browser\nsign_ins[].token | text or null | the id of the token: the sign-in ends with it; null: by a link\nsign_ins[].began | time | when they signed in\nsign_ins[].expires | time | when it ends by itself: 12 hours later"
  },
  "signIns.revoke": {
    "at": "POST /v1/sign-ins/revoke",
    "summary": "sign people out: from the next request on their browsers are refused",
    "role": "admin",
    "details": "Streams end within 15 s. A sign-in by a token also ends when the token is revoked. The audit log has a record of it. It works also while the store does not answer; then a warning says that the record is missing.",
    "uses": "access",
    "acts": true,
    "refusals": {
      "no_match": "there is no such sign-in"
    },
    "input": [
      {
        "name": "sign_in",
        "summary": "an id, or a name: all sign-ins of this name"
      }
    ],
    "json": "sign_ins | list | those that ended\nsign_ins[].id | text | for \"redrive sign-ins revoke\"\nsign_ins[].name | text | who signed in: the name of the token, or local, by a link\nsign_ins[].role | \"viewer\", \"operator\" or \"admin\" | what they may do\nsign_ins[].from | text | the address of the browser\nsign_ins[].token | text or null | the id of the token: the sign-in ends with it; null: by a link\nsign_ins[].began | time | when they signed in\nsign_ins[].expires | time | when it ends by itself: 12 hours later\nrevoked | boolean | false: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "sources.list": {
    "at": "GET /v1/sources",
    "summary": "sources of events: as declared, and as the processes that take them report them",
    "role": "viewer",
    "details": "A source that no process has reported yet has the state `not_reported`.",
    "reads": "metrics",
    "input": [],
    "json": "sources | list | those that are declared, then those that are reported\nsources[].name | text | its name\nsources[].state | text | `taking`, or why it takes nothing: `stopped`, `full`, `store_away`, `bus_away`, `failing`, `blocked`; `gone`: no process takes it\nsources[].waiting | number or null | messages that wait in the broker; on the bus `store:`, events that are not finished; null: the broker does not say\nsources[].handled | number | events of a direct source that succeeded without being stored, over restarts\nsources[].stored | number | events that were stored as jobs, over restarts; on the bus `store:`, those that are kept\nsources[].duplicates | number | messages that were stored before\nsources[].dead_lettered | number | messages that became dead letters without running\nsources[].last_report | time or null | when it was reported last; null: not known\nsources[].last_error | text or null | the newest problem with the broker or the store, for a day after it is over\nsources[].last_error_at | time or null | when it was reported last; before last_report: it is over\nsources[].bus | text or null | its bus; null: the configuration has no such source\nsources[].handler | text or null | the handler of its events; null: not known\nsources[].from | text or null | its queue, or its stream and subject"
  },
  "status.show": {
    "at": "GET /v1/status",
    "summary": "show which jobs are failing now, since when, why, how many, and what to do",
    "role": "viewer",
    "details": "The first line is the verdict: everything is fine, or the most urgent problem. Then it lists the causes of failures (jobs that will be tried again, parked jobs and dead letters of the last hour together), stopped queues, handlers and dependencies, workers and queues. It reads the store itself, so it works without a running `redrive start`. In very large stores counting stops at a limit, and the output says so.",
    "reads": "metrics",
    "input": [],
    "json": "store | text | the store, without credentials\ntime | time or null | the store's clock; null: not known\nok | boolean | true: nothing is wrong\nverdict | text | the first line: everything is fine, or the most urgent problem\nproblems | list | the problems, the most urgent first\nproblems[].kind | \"kill_switch\", \"no_worker\", \"failing\", \"stalled\", \"paused\", \"breaker_forced\", \"rate_limited\", \"held\", \"source\" or \"dead_letters\" | its kind\nproblems[].level | \"bad\" or \"note\" | note: no action is needed at once\nproblems[].text | text | one sentence\nfailing | list | causes of the failures now, the one with the most jobs first\nfailing[].fingerprint | text | the id of the cause, as in `redrive dlq groups`\nfailing[].pattern | text | its error text, without the parts that differ from case to case; empty: none of the parked jobs has failed itself\nfailing[].last_error | map or null | the newest error; null: none of its jobs has failed itself\nfailing[].last_error.type | text | its type, as the handler named it\nfailing[].last_error.message | text | its message\nfailing[].handlers | list of texts | handlers of the jobs that were read\nfailing[].dependency | text or null | as its breaker or gate names it; null: not known\nfailing[].causes | list of texts | the causes that its parked jobs wait for\nfailing[].since | time | the first failure within a day\nfailing[].first_seen | time or null | the first death, where it is before `since`\nfailing[].last | time | the newest failure\nfailing[].retrying | number | jobs that will be tried again\nfailing[].parked | number | jobs that are parked because of it\nfailing[].dead | number | all its dead letters\nfailing[].bounded | boolean | true: there are more than the numbers say\nfailing[].per_minute | number | jobs that failed within the last ten minutes, per minute\nfailing[].newest_job | text or null | the unfinished job that failed last\nfailing[].newest_dead_letter | text or null | the job that died last\nfailing[].next | text | the next command to type\nfailing_sampled | boolean | true: only the 10,000 jobs of each state that are due first were read\nfailing_more | boolean | true: dead letters of the last hour have more causes than the 50 that were read\nkill_switches | list | engaged kill switches\nkill_switches[].scope | \"all\", \"queue\", \"operation\" or \"tenant\" | what it stops; operation: a handler\nkill_switches[].name | text or null | name of the queue, handler or tenant; null: everything\nkill_switches[].mode | \"finish\" or \"interrupt\" | finish: running jobs may finish; interrupt: they are interrupted and released\nkill_switches[].since | time | when it was engaged\nkill_switches[].by | text | who engaged it\nkill_switches[].why | text or null | the reason that was given\nkill_switches[].running | number or null | running jobs that it stops; null: not known\nkill_switches[].waiting | number or null | waiting jobs that it stops; null: not known\nkill_switches[].bounded | boolean | true: counting stopped, and there are more\npaused | list | paused queues, handlers and schedules; running jobs finish\npaused[].scope | \"queue\", \"handler\" or \"schedule\" | a queue, a handler or a schedule\npaused[].name | text | its name\npaused[].since | time | when it was paused\npaused[].by | text | who paused it\npaused[].why | text or null | the reason that was given\nbreakers | list | breakers that are not closed, or are forced\nbreakers[].policy_id | text | the dependency: jobs that name it share the breaker\nbreakers[].state | \"closed\", \"open\" or \"half_open\" | the state in force\nbreakers[].failure_count | number | failures in a row\nbreakers[].last_failure_time | time | time of the newest failure; absent: there was none\nbreakers[].last_error | map or null | the newest failure; null: none is known\nbreakers[].last_error.type | text | its type, as the handler named it\nbreakers[].last_error.message | text | its message\nbreakers[].threshold | number | failures in a row that open it\nbreakers[].timeout | number | seconds between two probes, and up to a tenth more\nbreakers[].last_state_change | time | when its state changed last\nbreakers[].redrive | map | additions to the shape of the state\nbreakers[].redrive.schema_version | number | version of this part\nbreakers[].redrive.calls | number | 0: stored breakers count failures in a row\nbreakers[].redrive.isolated | boolean | whether it is forced open\nbreakers[].next_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it\nbreakers[].probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nbreakers[].failed_probes | number | probes in a row that failed\nbreakers[].forced | map or null | set by an operator; null: the breaker is not forced\nbreakers[].forced.state | \"open\" or \"closed\" | the forced state\nbreakers[].forced.until | time or null | when it ends; null: until it is reset\nbreakers[].forced.since | time | since when\nbreakers[].forced.by | text | who forced it\nbreakers[].forced.why | text or null | the reason that was given\nbreakers[].parked | number | jobs that wait for it, counted up to 10,000\nbreakers[].bounded | boolean | true: more jobs wait for it\ngates | list | closed gates\ngates[].dependency | text | the dependency that is rate-limited\ngates[].credential | text or null | the credential that is rate-limited; null: all\ngates[].tenant | text or null | the tenant that is rate-limited; null: all\ngates[].until | time | when it opens by itself\ngates[].since | time | when it was closed\ngates[].cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed\ngates[].parked | number | jobs that wait for it, counted up to 10,000\ngates[].bounded | boolean | true: more jobs wait for it\nparked | list | causes that jobs are parked for\nparked[].cause | text | its short name, for commands\nparked[].key | text | the full name, as it is stored with the jobs\nparked[].count | number | jobs, counted up to 10,000\nparked[].bounded | boolean | true: there are more\nparked[].since | time or null | null: not known\nparked[].waits_for | \"breaker\", \"gate\", \"kill\", \"time\" or \"nothing\" | time: each job has its own due time; nothing: the cause is gone, and the jobs are being released\nparked[].dependency | text or null | the dependency of the breaker or the gate; null: the cause is none of these\nparked[].until | time or null | when a gate opens\nparked[].next_probe_at | time or null | when one of the jobs probes; null: there is no probe, or no live worker has their handler\nparked[].probe | \"none\", \"planned\", \"running\" or \"no_worker\" | the next probe: planned, for next_probe_at; running; no_worker: no live worker has a handler for it; none: the breaker is closed or forced\nparked[].held_by | text or null | the operator who holds them\nparked[].held_why | text or null | the reason that was given\nparked[].pace | number or null | jobs per second that are released now; null: none, or no live worker has their handler\nparked[].has_worker | boolean | false: no live worker has the handlers of parked jobs, so none is released\nworkers | list | live workers, at most 1,000\nworkers[].name | text | name of the worker, as in leases; a new one at each start\nworkers[].state | \"working\", \"paused\", \"stopping\" or \"gone\" | paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute\nworkers[].host | text | its machine\nworkers[].pid | number | its process id there\nworkers[].version | text | version of @redrive/durable\nworkers[].since | time or null | time of its first report; null: not known\nworkers[].last_seen_at | time or null | time of its last report; null: not known\nworkers[].handlers | list of texts | at most 1,000\nworkers[].more_handlers | number | handlers that are not listed\nworkers[].queues | list of texts or null | it takes only jobs of these; null: of all\nworkers[].more_queues | number | queues that are not listed\nworkers[].concurrency | number | jobs that it runs at once\nworkers[].running | number | jobs that it ran at its last report\nworkers[].stalled | list | jobs whose attempts make no progress, at most 10, the longest first\nworkers[].stalled[].id | text | the job\nworkers[].stalled[].handler | text | its handler\nworkers[].stalled[].since | time | time of its last progress\nworkers[].more_stalled | number | such jobs that are not listed\nlive_workers | number | how many workers are alive\nlive_workers_bounded | boolean | true: counting stopped, and there are more\nwithout_worker | list | handlers whose jobs no worker takes, unless they are stopped\nwithout_worker[].handler | text | its name\nwithout_worker[].ready | number | its ready jobs\nwithout_worker[].queues | list of texts | the queues of these jobs\nwithout_worker[].scheduled | number | its scheduled jobs\nwithout_worker[].parked | number | its parked jobs\nsources | list | sources of events, as the process that takes them reported last\nsources[].name | text | its name\nsources[].state | text | `taking`, or why it takes nothing: `stopped`, `full`, `store_away`, `bus_away`, `failing`, `blocked`; `gone`: no process takes it\nsources[].waiting | number or null | messages that wait in the broker; on the bus `store:`, events that are not finished; null: the broker does not say\nsources[].handled | number | events of a direct source that succeeded without being stored, over restarts\nsources[].stored | number | events that were stored as jobs, over restarts; on the bus `store:`, those that are kept\nsources[].duplicates | number | messages that were stored before\nsources[].dead_lettered | number | messages that became dead letters without running\nsources[].last_report | time or null | when it was reported last; null: not known\nsources[].last_error | text or null | the newest problem with the broker or the store, for a day after it is over\nsources[].last_error_at | time or null | when it was reported last; before last_report: it is over\ndead | map | all dead letters\ndead.count | number | how many there are\ndead.bounded | boolean | true: there are more\ndead.newest_died_at | time or null | the death of the newest; null: there is none\nstates | map | jobs in each state\nstates.scheduled | number | wait until they are due\nstates.ready | number | may start\nstates.parked | number | wait for a cause, such as an open breaker\nstates.leased | number | run now\nstates.succeeded | number | done\nstates.dead | number | given up\nstates.cancelled | number | cancelled by a person or a program\nstates.purged | number | deleted, and can be restored for a while\nbounded | boolean | true: counting stopped, and there are more\noldest_ready_at | time or null | when the oldest ready job was submitted; null: none is ready\nhandlers | list | the same for each queue and handler\nhandlers[].queue | text | the queue\nhandlers[].handler | text | the handler\nhandlers[].states | map | jobs in each state\nhandlers[].states.scheduled | number | wait until they are due\nhandlers[].states.ready | number | may start\nhandlers[].states.parked | number | wait for a cause, such as an open breaker\nhandlers[].states.leased | number | run now\nhandlers[].states.succeeded | number | done\nhandlers[].states.dead | number | given up\nhandlers[].states.cancelled | number | cancelled by a person or a program\nhandlers[].states.purged | number | deleted, and can be restored for a while\nhandlers[].bounded | list of texts | the states in which there are more jobs than counted"
  },
  "stuck.list": {
    "at": "GET /v1/stuck",
    "summary": "list stuck documents, the longest stuck first",
    "role": "viewer",
    "reads": "sessions",
    "verdict": true,
    "refusals": {
      "no_match": "no collection is swept, or none of that name"
    },
    "input": [
      {
        "name": "collection",
        "summary": "one collection; all without one"
      },
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      },
      {
        "name": "invalid",
        "summary": "documents whose count, time or id cannot be right, which are never sent"
      }
    ],
    "json": "documents | list | by collection, the longest stuck first\ndocuments[].collection | text | its collection\ndocuments[].id | text | its id\ndocuments[].status | text | its status\ndocuments[].attempt_count | number, text or null | its count of attempts; a text: it is no number; null: there is none\ndocuments[].last_attempt_time | time or null | its last attempt; null: none, or not a time\ndocuments[].never_attempted | boolean | true: it has no time of a last attempt\ndocuments[].error | text or null | the last error that its owner kept\ndocuments[].stuck_since | time or null | when a sweep first found it\ndocuments[].next | text | what the next sweep does with it: send, wait, fail, or the problem of an invalid one; stopped: sweeps are stopped, as stuck explain says; running: its last attempt may still run; unsent: its event waits for its job; count: its event was sent; dead letter: its event could not be sent\ndocuments[].due | time or null | from when a sweep may send it; null: not known, or sweeps leave it alone\ncollections | list | collections that were looked at; empty: none is swept\ncollections[].name | text | its name\ncollections[].stuck_threshold_ms | number | how old the last attempt must be before a sweep sends the event again\ncollections[].max_attempts | number | attempts after which a document is failed\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  },
  "stuck.explain": {
    "at": "GET /v1/stuck/:collection/:id",
    "summary": "say why a document was not sent again, and when it will be",
    "role": "viewer",
    "reads": "sessions",
    "refusals": {
      "no_match": "there is no such document"
    },
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "id",
        "summary": "id of the document"
      }
    ],
    "json": "collection | text | its collection\nid | text | its id\nstatus | text | its status\nattempt_count | number, text or null | its count of attempts; a text: it is no number; null: there is none\nlast_attempt_time | time or null | its last attempt; null: none, or not a time\nnever_attempted | boolean | true: it has no time of a last attempt\nerror | text or null | the last error that its owner kept\nmax_attempts | number | the attempts that its policy allows\nevent | text or null | id of the last event that a sweep sent, and of its job\nevent_sent | boolean or null | true: the broker has confirmed it; false: it waits\nstuck_since | time or null | when a sweep first found it\nbackoff_factor | number | how many times as long the back-off is; 1 without dynamic_backoff\nverdict | text | in one sentence\ndue | time or null | from when a sweep may send it; null: not known, or sweeps leave it alone\nstopped | text or null | what stops sweeps of the collection now"
  },
  "stuck.release": {
    "at": "POST /v1/stuck/:collection/release",
    "summary": "send the events of documents now, whatever their age and back-off are",
    "role": "operator",
    "details": "Each becomes a job that claims its document when it runs, and counts an attempt.",
    "acts": true,
    "verdict": true,
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "ids",
        "summary": "ids of documents"
      }
    ],
    "json": "collection | text | its name\nreleased | number | documents whose event is a job now, or would be\nrefused | list | the others\nrefused[].id | text | id of the document\nrefused[].why | text | why its event is not sent, such as \"is processed\"\ndry_run | boolean | true: nothing was changed"
  },
  "sweeps.status": {
    "at": "GET /v1/sweeps",
    "summary": "show the numbers of all sweeps so far",
    "role": "viewer",
    "reads": "metrics",
    "input": [],
    "json": "retry_job_documents_requeued_total | object | documents whose event was sent again, by collection\nretry_job_documents_skipped_backoff_total | object | documents that were stuck and waited for their back-off, by collection\nretry_job_documents_max_retries_exceeded_total | object | documents that were marked as failed, by collection\nretry_job_runs_total | object | runs, by success and failure\nretry_job_errors_total | object | errors, by type\nretry_job_stuck_documents | object | stuck documents after the last run, by collection, counted up to 100,000\nretry_job_failed_documents | object | failed documents after the last run, by collection, counted up to 100,000\nretry_job_documents_waiting | object | documents whose event waits to be sent after the last run, by collection, counted up to 100,000\nretry_job_duration_seconds_sum | number | seconds of all runs together\nretry_job_duration_seconds_count | number | runs\nretry_job_duration_seconds_bucket | object | runs that took at most this many seconds\nretry_job_last_success_timestamp_seconds | number | when the last successful run ended, in Unix time; absent: none did\nschedule | map or null | the schedule of sweeps; null: there was no sweep yet\nschedule.every_ms | number or null | its interval; null: it has a cron expression\nschedule.cron | text or null | its cron expression; null: it has an interval\nschedule.time_zone | text or null | the time zone of the cron expression\nschedule.state | \"active\", \"stopped\" or \"no_worker\" | stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it\nschedule.next | time or null | its next tick; null: it is stopped\nschedule.stopped_as | \"pause\", \"kill_switch\" or null | what stops it; null: it is not stopped"
  },
  "sweeps.schedule": {
    "at": "POST /v1/sweeps/:collection/schedule",
    "summary": "send the event of one document at a given time",
    "role": "operator",
    "details": "It enqueues a job that claims the document when it runs, whatever its age and its back-off are, and counts an attempt. A document that is done by then is not sent. A failed document is pending again.",
    "acts": true,
    "refusals": {
      "no_match": "there is no such document",
      "conflict": "the document is done"
    },
    "input": [
      {
        "name": "collection",
        "summary": "name of the collection under sweeps"
      },
      {
        "name": "id",
        "summary": "id of the document"
      },
      {
        "name": "at",
        "summary": "a time, or +2h; default: now"
      }
    ],
    "json": "collection | text | its name\ndocument | text | its id\njob | text or null | the job that sends the event; null: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "tokens.list": {
    "at": "GET /v1/tokens",
    "summary": "list the tokens",
    "role": "admin",
    "reads": "sessions",
    "uses": "access",
    "input": [],
    "json": "tokens | list | the oldest first\ntokens[].id | text | the middle part of the token\ntokens[].name | text | who has it, in the audit log as api:<name>@<address>\ntokens[].role | \"viewer\", \"operator\" or \"admin\" | what it may do\ntokens[].tenant | text or null | it sees and changes jobs of this tenant only; null: of all\ntokens[].expires | time or null | when it ends; null: when it is revoked\ntokens[].rate | number | requests per second"
  },
  "tokens.create": {
    "at": "POST /v1/tokens",
    "summary": "create a token, and print it this once",
    "role": "admin",
    "details": "The audit log has a record of it before the token exists. The access file has a hash of the token, so the token cannot be read from it. A running server takes a new token at once, if it uses the same file: \"redrive serve\" prints its path, and so does --verbose. In the HTTP API a token is needed for it: a sign-in of a browser is refused.",
    "uses": "access",
    "acts": true,
    "refusals": {
      "conflict": "another token has the name"
    },
    "input": [
      {
        "name": "role",
        "summary": "what it may do; must be given",
        "choices": [
          "viewer",
          "operator",
          "admin"
        ]
      },
      {
        "name": "name",
        "summary": "who has it, for the audit log; default: the token's id"
      },
      {
        "name": "tenant",
        "summary": "it sees and changes jobs of this tenant only"
      },
      {
        "name": "expires",
        "summary": "when it ends: 2027-01-31T08:00:00Z or +30d; default: never"
      },
      {
        "name": "rate",
        "summary": "requests per second, such as 50/s; default 50/s"
      }
    ],
    "json": "token | text or null | for \"Authorization: Bearer <token>\"; null: a dry run\nid | text | the middle part of the token\nname | text | who has it, in the audit log as api:<name>@<address>\nrole | \"viewer\", \"operator\" or \"admin\" | what it may do\ntenant | text or null | it sees and changes jobs of this tenant only; null: of all\nexpires | time or null | when it ends; null: when it is revoked\nrate | number | requests per second\ndry_run | boolean | true: nothing was changed"
  },
  "tokens.revoke": {
    "at": "POST /v1/tokens/revoke",
    "summary": "revoke a token: from the next request on it is refused",
    "role": "admin",
    "details": "The audit log has a record of it. A token is revoked also while the store does not answer; then a warning says that the record is missing.",
    "uses": "access",
    "acts": true,
    "refusals": {
      "no_match": "there is no such token"
    },
    "input": [
      {
        "name": "token",
        "summary": "its id or its name"
      }
    ],
    "json": "id | text | the middle part of the token\nname | text | who has it, in the audit log as api:<name>@<address>\nrole | \"viewer\", \"operator\" or \"admin\" | what it may do\ntenant | text or null | it sees and changes jobs of this tenant only; null: of all\nexpires | time or null | when it ends; null: when it is revoked\nrate | number | requests per second\nrevoked | boolean | false: a dry run\ndry_run | boolean | true: nothing was changed"
  },
  "workers.list": {
    "at": "GET /v1/workers",
    "summary": "list the live workers: handlers, concurrency, running jobs, last seen",
    "role": "viewer",
    "details": "Every worker, of \"redrive start\" or inside an application, reports to the store every 10 seconds. A worker whose last report is older than 25 seconds is shown as silent; a worker that has not reported for a minute is gone: it crashed, or cannot reach the store. A worker that stops normally leaves the list at once.",
    "reads": "metrics",
    "input": [
      {
        "name": "limit",
        "summary": "rows per page, 1 to 1,000; default 50"
      },
      {
        "name": "after",
        "summary": "the next page: the `next` of the page before it"
      },
      {
        "name": "all",
        "summary": "include workers that are gone, for a day"
      }
    ],
    "json": "workers | list | by name\nworkers[].name | text | name of the worker, as in leases; a new one at each start\nworkers[].state | \"working\", \"paused\", \"stopping\" or \"gone\" | paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute\nworkers[].host | text | its machine\nworkers[].pid | number | its process id there\nworkers[].version | text | version of @redrive/durable\nworkers[].since | time or null | time of its first report; null: not known\nworkers[].last_seen_at | time or null | time of its last report; null: not known\nworkers[].handlers | list of texts | at most 1,000\nworkers[].more_handlers | number | handlers that are not listed\nworkers[].queues | list of texts or null | it takes only jobs of these; null: of all\nworkers[].more_queues | number | queues that are not listed\nworkers[].concurrency | number | jobs that it runs at once\nworkers[].running | number | jobs that it ran at its last report\nworkers[].stalled | list | jobs whose attempts make no progress, at most 10, the longest first\nworkers[].stalled[].id | text | the job\nworkers[].stalled[].handler | text | its handler\nworkers[].stalled[].since | time | time of its last progress\nworkers[].more_stalled | number | such jobs that are not listed\nonly_gone | boolean | true: the list is empty, and there are workers that are gone\nnext | text or null | the value of `after` for the next page; null: this is the last page"
  }
} as const satisfies Readonly<Record<string, ManifestEntry>>;

export type ActionName = keyof typeof MANIFEST;
