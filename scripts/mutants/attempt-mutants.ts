import type { Mutant } from './mutant.ts';
import { ONE_TRANSACTION, POSTGRES_TESTS, SQLITE_TESTS, TRANSITION_TESTS } from './test-files.ts';

const TRANSITION = 'packages/durable/src/job/transition.ts';
const TRANSITION_TABLE = 'packages/durable/src/job/transition-table.ts';
const SQLITE_WRITER = 'packages/sqlite/src/writer/writer.ts';

/** Bugs of claims, leases and ends of attempts. */
export const ATTEMPT_MUTANTS: readonly Mutant[] = [
  {
    bug: 'fence dropped',
    where: 'model',
    changes: [
      {
        file: TRANSITION,
        find: "      if (token !== life.token) return 'stale_token';\n",
        replace: '      void token;\n',
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
        find: 'row[LEASED_ROW.state] !== LEASED || row[LEASED_ROW.token] !== command[SETTLE.token]',
        replace: 'row[LEASED_ROW.state] !== LEASED',
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
        file: 'packages/postgres/src/schema/settle-uniform.ts',
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
    tests: ['scripts/crash/power-cut.long.test.ts'],
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
        file: TRANSITION_TABLE,
        find: "    account: 'claimed',\n",
        replace: '',
      },
    ],
    tests: TRANSITION_TESTS,
  },
  {
    bug: 'attempt counted at the end',
    where: 'postgres',
    changes: [
      {
        file: 'packages/postgres/src/schema/sql-texts.ts',
        find: 'claims = j.claims + 1, executions = j.executions + 1, worker',
        replace: 'worker',
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
        find: `      if (!step.records.isEmpty) this.#chain.append(step.records, time);
      return [result, step] as const;
    });`,
        replace: `      return [result, step] as const;
    });
    if (!step.records.isEmpty) this.#chain.append(step.records, step.nowMs);`,
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
        find: `perform \${s}.write_block(p_seq, \${NOW}, p_writer, p_records);`,
        replace: `begin
          perform \${s}.write_block(p_seq, \${NOW}, p_writer, p_records);
        exception when others then null;
        end;`,
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
      return isPast(life.dueAtMs, nowMs) ? undefined : 'not_due';`,
        replace: `    case 'promote':
      return undefined;`,
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
        file: 'packages/postgres/src/schema/promote-function.ts',
        find: "where d.state = 'scheduled' and d.due_at <= p_now\n",
        replace: "where d.state = 'scheduled'\n",
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
];
