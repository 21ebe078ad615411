import type { Mutant } from './mutant.ts';

const TRANSITION = 'packages/durable/src/job/transition.ts';
const TRANSITION_TESTS = ['packages/durable/src/job/transition.test.ts'];
const SQLITE_WRITER = 'packages/sqlite/src/writer/writer.ts';
const SQLITE_TESTS = ['packages/sqlite/src/conformance.test.ts'];
const POSTGRES_TESTS = ['packages/postgres/src/conformance.test.ts'];
const SQLITE_FULL = ['packages/sqlite/src/full-conformance.test.ts'];
const POSTGRES_FULL = ['packages/postgres/src/full-store.test.ts'];
const ONE_TRANSACTION = ['scripts/crash/one-transaction.test.ts'];

/** Each bug in every place where it can be, with the smallest set of tests that should notice. */
export const MUTANTS: readonly Mutant[] = [
  {
    bug: 'fence dropped',
    where: 'model',
    changes: [
      {
        file: TRANSITION,
        find: "  if (settlement.token !== life.token) return refuse('stale_token');\n",
        replace: '',
      },
    ],
    tests: TRANSITION_TESTS,
  },
  {
    bug: 'fence dropped',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/writer/settle.ts',
        find: 'row[HELD.state] !== LEASED || row[HELD.token] !== command[SETTLE.token]',
        replace: 'row[HELD.state] !== LEASED',
      },
    ],
    tests: SQLITE_TESTS,
    about: 'settling and fencing',
  },
  {
    bug: 'fence dropped',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/settle-function.ts',
        find: 'j.id = e.id and j.token = e.token and j.lease_since is not null',
        replace: 'j.id = e.id and j.lease_since is not null',
      },
      {
        file: 'packages/postgres/src/schema/settle-usual.ts',
        find: 'j.id = e.id and j.token = s_token[1] and j.lease_since is not null',
        replace: 'j.id = e.id and j.lease_since is not null',
      },
    ],
    tests: POSTGRES_TESTS,
    about: 'settling and fencing',
  },
  {
    bug: 'acknowledged before commit',
    where: 'model',
    changes: [
      {
        file: 'packages/durable/src/store/group-commit.ts',
        find: '      const results = await this.#options.commit(commands);\n',
        replace:
          '      const committed = this.#options.commit(commands);\n' +
          '      for (const part of parts) part.resolve(part.commands as unknown as readonly R[]);\n' +
          '      const results = await committed;\n',
      },
    ],
    tests: ['packages/durable/src/store/group-commit.test.ts'],
  },
  {
    bug: 'acknowledged before commit',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/database/open-database.ts',
        find: "db.exec('PRAGMA synchronous = FULL');",
        replace: "db.exec('PRAGMA synchronous = NORMAL');",
      },
      {
        file: 'packages/sqlite/src/database/open-database.ts',
        find: "const level = pragma(db, 'synchronous');",
        replace: 'const level: unknown = 2;',
      },
    ],
    tests: ['scripts/crash/power-cut.test.ts'],
  },
  {
    bug: 'acknowledged before commit',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/connect/session-settings.ts',
        find: "set_config('synchronous_commit', 'on', false)",
        replace: "set_config('synchronous_commit', 'off', false)",
      },
    ],
    tests: ['packages/postgres/src/schema/cached-plans.test.ts'],
  },
  {
    bug: 'attempt counted at the end',
    where: 'model',
    changes: [
      {
        file: TRANSITION,
        find: '        account: claimAttempt(life.account),\n',
        replace: '',
      },
      {
        file: TRANSITION,
        find: 'import { claimAttempt, isRunning, nextGeneration }',
        replace: 'import { isRunning, nextGeneration }',
      },
    ],
    tests: TRANSITION_TESTS,
  },
  {
    bug: 'attempt counted at the end',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/claim-function.ts',
        find: 'claims = j.claims + 1, executions = j.executions + 1, due_at = null,',
        replace: 'due_at = null,',
      },
    ],
    tests: POSTGRES_TESTS,
    about: 'leases and heartbeats',
  },
  {
    bug: 'lease from the old clock',
    where: 'sqlite',
    changes: [
      {
        file: SQLITE_WRITER,
        find: `    this.#lock.begin();
    try {
      this.#noticeOthers();
      const result = body(nowMs ?? systemClock.now());`,
        replace: `    const askedAtMs = systemClock.now();
    this.#lock.begin();
    try {
      this.#noticeOthers();
      const result = body(nowMs ?? askedAtMs);`,
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'lease from the old clock',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/now.ts',
        find: 'extract(epoch from clock_timestamp())',
        replace: 'extract(epoch from now())',
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'audit outside the transaction',
    where: 'sqlite',
    changes: [
      {
        file: SQLITE_WRITER,
        find: `      if (step.records.length > 0) this.#chain.append(step.records, time);
      return [result, step] as const;
    });`,
        replace: `      return [result, step] as const;
    });
    if (step.records.length > 0) this.#chain.append(step.records, step.nowMs);`,
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'audit outside the transaction',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/step-function.ts',
        find: `perform \${s}.write_block(p_seq, \${NOW}, p_writer, v_records);`,
        replace: `begin
          perform \${s}.write_block(p_seq, \${NOW}, p_writer, v_records);
        exception when others then null;
        end;`,
      },
    ],
    tests: ONE_TRANSACTION,
  },
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
        find: `      return reservationOf(
        await commit(['reserve', key, fingerprint, Math.ceil(leaseMs), retentionMs]),`,
        replace: `      // Below zero: it is known to be free.
      const sign = (await find(key)) === undefined ? -1 : 1;
      return reservationOf(
        await commit(['reserve', key, fingerprint, sign * Math.ceil(leaseMs), retentionMs]),`,
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
        file: 'packages/core/src/backoff/jitter.ts',
        find: 'maxMs: Math.min(shape.maxDelayMs, 3 * previousMs)',
        replace: 'maxMs: 3 * previousMs',
      },
    ],
    tests: ['packages/core/src/backoff/jitter.test.ts'],
  },
  {
    bug: 'requeue keeping its token',
    where: 'model',
    changes: [
      {
        file: TRANSITION,
        find: `    case 'requeue':
      return record(life, {
        state: 'ready',
        token: life.token + 1,`,
        replace: `    case 'requeue':
      return record(life, {
        state: 'ready',`,
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
        find: "  token: 'j.token + 1',\n  generation_at: 'v_now',",
        replace: "  token: 'j.token',\n  generation_at: 'v_now',",
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
        file: TRANSITION,
        find: "  purge: ['succeeded', 'dead', 'cancelled'],",
        replace: "  purge: ['succeeded', 'dead', 'cancelled', 'leased'],",
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
        find: "          elsif p_act = 'cancel' then\n            state := 'cancelled';",
        replace:
          "          elsif p_act in ('cancel', 'purge') then\n            state := 'cancelled';",
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
        file: 'packages/sqlite/src/writer/settle.ts',
        find: '    if (to === DEAD) this.#deadLetters.add(n, form[SETTLE_FORM.group]);',
        replace:
          '    if (to === DEAD) queueMicrotask(() => this.#deadLetters.add(n, form[SETTLE_FORM.group]));',
      },
    ],
    tests: ONE_TRANSACTION,
  },
  {
    bug: 'promotion without its guard',
    where: 'model',
    changes: [
      {
        file: TRANSITION,
        find: `    case 'promote':
      if (!isPast(life.dueAtMs, nowMs)) return refuse('not_due');`,
        replace: "    case 'promote':",
      },
    ],
    tests: TRANSITION_TESTS,
  },
  {
    bug: 'promotion without its guard',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/writer/upkeep.ts',
        find: 'WHERE due_at <= ? ORDER BY due_at',
        replace: 'WHERE due_at <= ? + 999999999999 ORDER BY due_at',
      },
    ],
    tests: SQLITE_TESTS,
    about: 'what time brings',
  },
  {
    bug: 'promotion without its guard',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/ready-functions.ts',
        find: "where j.state = 'scheduled' and j.due_at <= p_now\n",
        replace: "where j.state = 'scheduled'\n",
      },
      {
        file: 'packages/postgres/src/schema/upkeep-functions.ts',
        find: "where j.state = 'scheduled' and j.due_at <= v_now)",
        replace: "where j.state = 'scheduled')",
      },
    ],
    tests: POSTGRES_TESTS,
    about: 'what time brings',
  },
  {
    bug: 'claim past a kill switch',
    where: 'sqlite',
    changes: [
      {
        file: 'packages/sqlite/src/writer/claim.ts',
        find: 'isStopped: (tenant: string) => this.#stops.coverTenant(tenant),',
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
