import type { Mutant } from './mutant.ts';
import {
  ONE_TRANSACTION,
  POSTGRES_FULL,
  POSTGRES_TESTS,
  SQLITE_FULL,
  TRANSITION_TESTS,
} from './test-files.ts';

const TRANSITION_TABLE = 'packages/durable/src/job/transition-table.ts';

/** Bugs of effects, waits, acts of operators and control. */
export const EFFECT_MUTANTS: readonly Mutant[] = [
  {
    bug: 'ledger check-then-insert',
    where: 'core',
    changes: [
      {
        file: 'packages/core/src/ledger/memory-ledger.ts',
        find: '      const kept = find(key, nowMs);\n      if (kept === undefined) makeRoom(nowMs);',
        replace:
          '      const kept = find(key, nowMs);\n      await null;\n      if (kept === undefined) makeRoom(nowMs);',
      },
    ],
    tests: ['packages/core/src/ledger/memory-ledger.test.ts'],
  },
  {
    bug: 'ledger check-then-insert',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/ledger/sqlite-ledger.ts',
        find: '          Math.ceil(leaseMs),\n          retentionMs,\n        ])) as StoredReservation,',
        replace: `          // Below zero: it is known to be free.
          ((await find(key)) === undefined ? -1 : 1) * Math.ceil(leaseMs),
          retentionMs,
        ])) as StoredReservation,`,
      },
      {
        file: 'packages/sqlite/src/ledger/ledger-table.ts',
        find: '    const row = this.#find.get(key, nowMs);\n',
        replace: '    const row = leaseMs < 0 ? undefined : this.#find.get(key, nowMs);\n',
      },
      {
        file: 'packages/sqlite/src/ledger/ledger-table.ts',
        find: `    const untilMs = nowMs + leaseMs;
    const { lastInsertRowid }`,
        replace: `    const untilMs = nowMs + Math.abs(leaseMs);
    const { lastInsertRowid }`,
      },
    ],
    tests: ['packages/sqlite/src/ledger.test.ts'],
  },
  {
    bug: 'ledger check-then-insert',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/ledger-functions.ts',
        find: `            on conflict do nothing;
            -- Somebody else was faster.
            continue tries when not found;`,
        replace: `            on conflict (key) do update set token = excluded.token, lease_until = excluded.lease_until;`,
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'jitter past the cap',
    where: 'core',
    changes: [
      {
        file: 'packages/core/src/backoff/delay.ts',
        find: 'Math.min(shape.maxDelayMs, 3 * Math.max(lastDelayMs, minMs))',
        replace: '3 * Math.max(lastDelayMs, minMs)',
      },
    ],
    tests: ['packages/core/src/backoff/jitter.test.ts'],
  },
  {
    bug: 'requeue keeping its token',
    where: 'model',
    changes: [
      {
        file: TRANSITION_TABLE,
        find: "      ...RENEWED,\n      deadlineMs: given('deadlineMs'),",
        replace: `      generationAtMs: NOW,
      retryCount: literal(0),
      deadlineMs: given('deadlineMs'),`,
      },
    ],
    tests: TRANSITION_TESTS,
  },
  {
    bug: 'requeue keeping its token',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/act-function.ts',
        find: "    payload: EDITED(inRowSql('p_payload', fastPaths), 'j.payload'),",
        replace:
          "    token: 'j.token',\n    payload: EDITED(inRowSql('p_payload', fastPaths), 'j.payload'),",
      },
    ],
    tests: POSTGRES_TESTS,
    about: 'requeue, run now, purge, restore',
  },
  {
    bug: 'purge of a leased item',
    where: 'model',
    changes: [
      {
        file: TRANSITION_TABLE,
        find: '  purge: {\n    from: ENDED,',
        replace: "  purge: {\n    from: [...ENDED, 'leased'],",
      },
    ],
    tests: [...TRANSITION_TESTS, 'packages/durable/src/job/transition.exhaustive.test.ts'],
  },
  {
    bug: 'purge of a leased item',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/act-function.ts',
        find: "elsif p_act = 'cancel' and v_from in",
        replace: "elsif p_act = 'purge' and v_from = 'leased' or p_act = 'cancel' and v_from in",
      },
    ],
    tests: POSTGRES_TESTS,
    about: 'requeue, run now, purge, restore',
  },
  {
    bug: 'breaker skipping half-open',
    where: 'core',
    changes: [
      {
        file: 'packages/core/src/breaker/circuit-breaker.ts',
        find: "    const probing = state.name === 'open' ? halfOpen(this.#options, state.failures) : state;\n",
        replace:
          "    if (state.name === 'open') {\n      const closed = this.#closed();\n      this.#become(closed);\n      return closed.permit;\n    }\n    const probing = state;\n",
      },
    ],
    tests: ['packages/core/src/breaker/circuit-breaker.test.ts'],
  },
  {
    bug: 'dead letter after the acknowledgement',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/writer/uniform-settlements.ts',
        find: '    deadLetters.add(this.#dead, this.#groups.values());',
        replace:
          '    queueMicrotask(deadLetters.add.bind(deadLetters, this.#dead, [...this.#groups.values()]));',
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'claim past a kill switch',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/writer/claim.ts',
        find: 'isStopped: (tenant) => this.#stops.coverTenant(tenant),',
        replace: 'isStopped: () => false,',
      },
    ],
    tests: SQLITE_FULL,
    about: 'kill switches',
  },
  {
    bug: 'claim past a kill switch',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/control-functions.ts',
        find: "where starts_with(k.key, 'tenant:')",
        replace: 'where false',
      },
    ],
    tests: POSTGRES_FULL,
    about: 'kill switches',
  },
  {
    bug: 'control written over what nobody has seen',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/control/controls.ts',
        find: 'if (before !== expect) return',
        replace: 'if (before > expect && expect === 0) return',
      },
    ],
    tests: SQLITE_FULL,
    about: 'control documents',
  },
  {
    bug: 'control written over what nobody has seen',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/control-functions.ts',
        find: 'if coalesce(v_before, 0) <> p_expect then',
        replace: 'if v_before > p_expect and p_expect = 0 then',
      },
    ],
    tests: POSTGRES_FULL,
    about: 'control documents',
  },
];
