import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';

const FIXED = 'max_attempts: 2, backoff_type: fixed, base_delay: 1, max_delay: 1';

/** What a file says about its policies: code, path, suggestion. */
function problemsOf(policies: string, rest = '', version = '1.1.0') {
  const { problems } = parseConfig(`version: "${version}"\npolicies:\n${policies}\n${rest}`);
  return problems.map(({ code, path }) => `${code} ${path}`);
}

function policyOf(id: string, policies: string, rest = '') {
  const { config, problems } = parseConfig(`version: "1.1.0"\npolicies:\n${policies}\n${rest}`);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return config?.policies.get(id);
}

describe('extends', () => {
  it('takes from a preset what the policy does not say', () => {
    const mine = policyOf('mine', '  mine: { extends: events.default, max_attempts: 3 }');
    expect(mine?.policy).toMatchObject({
      id: 'mine',
      name: 'mine',
      maxAttempts: 3,
      baseDelayMs: 250,
    });
    expect(mine?.policy).toMatchObject({ jitter: 'full', ttlMs: 1_800_000, description: '' });
    expect(mine?.preset).toBe('events.default');
    expect(mine?.policy.unclassified).toBe('final');
    expect(mine?.sources).toMatchObject({
      maxAttempts: { kind: 'file', where: 'redrive.yaml:3' },
      baseDelayMs: { kind: 'preset', where: 'preset events' },
    });
  });

  it('unclassified: final of events.* is part of the policy, and a file may say otherwise', () => {
    const fields = 'name: N, max_attempts: 8, backoff_type: fixed, base_delay: 1, max_delay: 1';
    const unclassifiedOf = (id: string, more = '') =>
      policyOf(id, `  ${id}: { ${fields}${more} }`)?.policy.unclassified;
    expect(unclassifiedOf('events.orders')).toBe('final');
    expect(unclassifiedOf('events.orders', ', unclassified_errors: retryable')).toBe('retryable');
    expect(unclassifiedOf('orders', ', unclassified_errors: final')).toBe('final');
    expect(unclassifiedOf('orders')).toBe('retryable');
  });

  it('changes a built-in policy in its place, for everybody who names it', () => {
    const changed = policyOf(
      'RETRY_KV_GET',
      '  RETRY_KV_GET: { extends: RETRY_KV_GET, max_attempts: 7 }',
    );
    expect(changed?.policy).toMatchObject({
      maxAttempts: 7,
      baseDelayMs: 500,
      description: 'KV value retrieval',
      jitter: 'proportional',
    });
  });

  it('goes through several policies, the nearest first', () => {
    const text = `  a: { extends: b, base_delay: 2 }
  b: { extends: KV_GET, base_delay: 3, max_delay: 9 }`;
    expect(policyOf('a', text)?.policy).toMatchObject({
      baseDelayMs: 2_000,
      maxDelayMs: 9_000,
      maxAttempts: 3,
    });
  });

  it('is stronger than the global defaults, which fill in what is left', () => {
    const rest = 'global_defaults: { jitter_type: equal, attempt_timeout: 7 }';
    const mine = policyOf('mine', '  mine: { extends: KV_GET }', rest);
    expect(mine?.policy).toMatchObject({ jitter: 'proportional', attemptTimeoutMs: 7_000 });
    const { config } = parseConfig(`version: "1.1.0"\n${rest}`);
    expect(config?.policies.get('RETRY_KV_GET')?.policy).toMatchObject({
      jitter: 'proportional',
      attemptTimeoutMs: 7_000,
    });
  });

  it.each([
    ['  a: { extends: nobody }', ['unknown_policy policies.a.extends']],
    ['  a: { extends: a }', ['extends_cycle policies.a.extends']],
    [
      '  a: { extends: b }\n  b: { extends: a }',
      ['extends_cycle policies.a.extends', 'extends_cycle policies.b.extends'],
    ],
    [
      '  RETRY_KV_GET: { extends: b }\n  b: { extends: RETRY_KV_GET }',
      ['extends_cycle policies.RETRY_KV_GET.extends'],
    ],
  ])('%s is refused', (text, expected) => {
    expect(problemsOf(text)).toEqual(expect.arrayContaining(expected));
  });
});

describe('dead_handler', () => {
  it('names a handler that has none itself', () => {
    const of = (handlers: string) =>
      problemsOf('', `jobs:\n  handlers:\n${handlers}`).filter((each) =>
        each.startsWith('invalid'),
      );
    expect(of('    pay: { dead_handler: refund }\n    refund: {}')).toEqual([]);
    expect(of('    pay: { dead_handler: refnd }\n    refund: {}')).toEqual([
      'invalid_handler jobs.handlers.pay.dead_handler',
    ]);
    expect(of('    pay: { dead_handler: pay }')).toEqual([
      'invalid_handler jobs.handlers.pay.dead_handler',
    ]);
  });
});

describe('policies', () => {
  it('must have the required fields, unless the global defaults have them', () => {
    expect(problemsOf('  events.a: {}')).toEqual(
      ['name', 'max_attempts', 'backoff_type', 'base_delay', 'max_delay'].map(
        (name) => `missing_field policies.events.a.${name}`,
      ),
    );
    expect(problemsOf('  events.a: { name: A }', `global_defaults: { ${FIXED} }`)).toEqual([]);
  });

  it('are told of a misspelt key once', () => {
    expect(
      problemsOf(`  events.a: { name: A, ${FIXED.replace('max_attempts', 'max_attempt')} }`),
    ).toEqual(['unknown_key policies.events.a.max_attempt']);
  });

  it('have the id of their key', () => {
    expect(problemsOf(`  events.a: { id: events.b, name: A, ${FIXED} }`)).toEqual([
      'id_mismatch policies.events.a.id',
    ]);
    expect(problemsOf(`  events.a: { id: events.a, name: A, ${FIXED} }`)).toEqual([]);
  });

  it('have a cap that is not below the base, wherever the two come from', () => {
    expect(problemsOf('  events.a: { extends: KV_GET, base_delay: 11 }')).toEqual([
      'max_delay_below_base policies.events.a.base_delay',
    ]);
    expect(problemsOf('  events.a: { extends: KV_GET, base_delay: 10 }')).toEqual([]);
  });

  it('have delays if they are a schedule, none of them above the cap, wherever they come from', () => {
    const schedule = 'extends: KV_GET, backoff_type: schedule';
    expect(problemsOf(`  events.a: { ${schedule} }`)).toEqual([
      'missing_field policies.events.a.delays',
    ]);
    expect(problemsOf(`  events.a: { ${schedule}, delays: [1, 11] }`)).toEqual([
      'delay_above_max policies.events.a.delays',
    ]);
    expect(problemsOf(`  events.a: { ${schedule}, delays: [1, 10] }`)).toEqual([]);
    expect(problemsOf(`  events.a: { ${schedule}, delays: [] }`)).toEqual([
      'out_of_range policies.events.a.delays',
    ]);
    expect(problemsOf(`  events.a: { ${schedule}, delays: 5 }`)).toEqual([
      'wrong_type policies.events.a.delays',
    ]);
  });

  it('have no jitter that ignores the delays of a schedule, wherever it comes from', () => {
    const schedule = 'extends: KV_GET, backoff_type: schedule, delays: [1, 5]';
    const jitter = 'jitter_type: decorrelated';
    expect(problemsOf(`  events.a: { ${schedule}, ${jitter} }`)).toEqual([
      'decorrelated_schedule policies.events.a.jitter_type',
    ]);
    expect(
      problemsOf(
        `  events.a: { extends: KV_GET, ${jitter} }\n  events.b: { ${schedule.replace('KV_GET', 'events.a')} }`,
      ),
    ).toEqual(['decorrelated_schedule policies.events.b.backoff_type']);
    expect(problemsOf(`  events.a: { extends: KV_GET, ${jitter} }`)).toEqual([]);
  });

  it('may have senseless values for a breaker that is off, with a warning', () => {
    const off = `  events.a: { name: A, ${FIXED}, circuit_breaker_threshold: 0 }`;
    expect(problemsOf(off)).toEqual([
      'unused_breaker_value policies.events.a.circuit_breaker_threshold',
    ]);
    expect(policyOf('events.a', off)?.policy.circuitBreakerThreshold).toBe(5);
    expect(problemsOf(off.replace(' }', ', enable_circuit_breaker: true }'))).toEqual([
      'out_of_range policies.events.a.circuit_breaker_threshold',
    ]);
  });

  it('keep fractions of seconds exactly', () => {
    const text = `  events.a: { name: A, ${FIXED.replace('base_delay: 1', 'base_delay: 0.29')} }`;
    expect(policyOf('events.a', text)?.policy.baseDelayMs).toBe(290);
  });
});

describe('lists of errors', () => {
  const withList = (list: string) =>
    parseConfig(
      `version: "1.1.0"\npolicies:\n  events.a: { extends: events, retryable_exceptions: ${list} }`,
    ).problems.map(({ code, suggestion }) => [code, suggestion]);

  it('may name what is known, and codes', () => {
    expect(withList('[TimeoutError, Exception, ECONNRESET, UND_ERR_SOCKET, "40001"]')).toEqual([]);
  });

  it('get a warning for what is not known, with a suggestion', () => {
    expect(withList('[TimoutError]')).toEqual([
      ['unknown_exception', 'did you mean TimeoutError?'],
    ]);
    expect(withList('[PaymentDeclined]')).toEqual([
      ['unknown_exception', 'nothing to do if your own code throws it'],
    ]);
  });

  it.each(['["Timeout Error"]', '["^Timeout.*"]', `[${'x'.repeat(101)}]`])('refuse %s', (list) => {
    expect(withList(list)).toMatchObject([['invalid_exception_name', expect.anything()]]);
  });
});

describe('names', () => {
  it.each([
    ['RETRY_KV_GET', 'name_collision policies.RETRY_KV_GET'],
    ['KV_GET', 'name_collision policies.KV_GET'],
    ['events.default', 'name_collision policies.events.default'],
    ['events', 'name_collision policies.events'],
    ['global_defaults', 'name_collision policies.global_defaults'],
    ['x.y', 'name_collision policies.x.y'],
  ])('%s means something else already', (id, problem) => {
    expect(
      problemsOf(
        `  ${id}: { name: A, ${FIXED} }`,
        `subsystem_mappings: { x: { y: ${id}, z: ${id} } }`,
      ),
    ).toEqual([problem]);
  });

  it('that differ in case only are too much alike', () => {
    const text = `  events.Ab-c: { name: A, ${FIXED} }\n  events.ab_c: { name: A, ${FIXED} }`;
    expect(problemsOf(text)).toEqual(['name_collision policies.events.ab_c']);
  });

  it('of policies that nobody uses get a warning', () => {
    expect(problemsOf(`  a: { name: A, ${FIXED} }`)).toEqual(['unused_policy policies.a']);
    for (const rest of [
      'subsystem_mappings: { x: a }',
      'jobs: { handlers: { h: { policy: a, idempotent: true } } }',
      'load: { db: { utilisation: 0.1, layers: [a] } }',
    ]) {
      expect(problemsOf(`  a: { name: A, ${FIXED} }`, rest), rest).toEqual([]);
    }
  });

  it('must lead somewhere, in sections too', () => {
    const rest = `subsystem_mappings: { x: nobody }
jobs: { handlers: { h: { policy: noone, idempotent: true } } }
load: { db: { utilisation: 0.1, layers: [RETRY_KV_GET, nothing] } }`;
    expect(problemsOf('', rest)).toEqual([
      'unknown_policy subsystem_mappings.x',
      'unknown_policy jobs.handlers.h.policy',
      'unknown_policy load.db.layers.1',
    ]);
  });

  it('may be the short or old ones of categories', () => {
    const { config, problems } = parseConfig(
      'version: "1.1.0"\nsubsystem_mappings: { x: KV_GET, y: REPLAY_REPLAY_VALIDATION }',
    );
    expect(problems).toEqual([]);
    expect([...(config?.mappings ?? [])]).toEqual([
      ['x', 'RETRY_KV_GET'],
      ['y', 'RETRY_REPLAY_VALIDATION'],
    ]);
  });
});

it('what 1.1.0 has added gets a warning in a file of 1.0.0, and works', () => {
  const text = `  a: { name: A, ${FIXED}, ttl: 60 }`;
  const rest = 'subsystem_mappings: { x: a }\njobs: {}';
  expect(problemsOf(text, rest, '1.0.0')).toEqual([
    'newer_field policies.a.ttl',
    'newer_field jobs',
  ]);
  expect(problemsOf(text, rest)).toEqual([]);
});

describe('a problem in a list points at the wrong entry, not at the first of the list', () => {
  const text = `version: "1.1.0"
global_defaults:
  non_retryable_exceptions: [AbortError, "no name"]
policies:
  a.b:
    name: A
    max_attempts: 2
    backoff_type: fixed
    base_delay: 1
    max_delay: 1
    retryable_exceptions:
      - TimeoutError
      - ECONNRESET

      - two words
      - TimoutError
subsystem_mappings: { s: { a: a.b } }
`;

  it('by line, column and path', () => {
    expect(placesIn(text)).toEqual([
      'invalid_exception_name global_defaults.non_retryable_exceptions.1 3:42',
      'invalid_exception_name policies.a.b.retryable_exceptions.2 15:9',
      'unknown_exception policies.a.b.retryable_exceptions.3 16:9',
    ]);
  });

  it('also where the entry is of a wrong type, with the name of the list', () => {
    const wrong = text.replace('two words', '7');
    expect(placesIn(wrong)).toEqual([
      'invalid_exception_name global_defaults.non_retryable_exceptions.1 3:42',
      'wrong_type policies.a.b.retryable_exceptions.2 15:9',
    ]);
    const { problems } = parseConfig(wrong);
    expect(problems[1]?.message).toBe(
      'Entry 3 of retryable_exceptions must be a text that is not empty, not 7',
    );
  });

  it('also where an alias stands for the list', () => {
    const shared = text
      .replace('non_retryable_exceptions: [', 'non_retryable_exceptions: &list [')
      .replace(/retryable_exceptions:\n.*\n.*\n\n.*\n.*\n/, 'retryable_exceptions: *list\n');
    expect(placesIn(shared)).toEqual([
      'invalid_exception_name global_defaults.non_retryable_exceptions.1 3:48',
      'invalid_exception_name policies.a.b.retryable_exceptions.1 3:48',
    ]);
  });

  function placesIn(file: string) {
    return parseConfig(file).problems.map(
      ({ code, path, line, column }) => `${code} ${path} ${line}:${column}`,
    );
  }
});

it.each([
  ['OSError', undefined],
  ['IOError', undefined],
  ['DBError', undefined],
  ['HttpTimeoutError', undefined],
  ['Eror', 'Error'],
  ['error', 'Error'],
  ['exception', 'Exception'],
  ['TimoutError', 'TimeoutError'],
  ['timeout_error', 'TimeoutError'],
  ['ConectionError', 'ConnectionError'],
])('%s suggests no group that is wider: %s', (name, suggested) => {
  const policy = `  events.a: { name: A, ${FIXED}, retryable_exceptions: [${name}] }`;
  const { problems } = parseConfig(`version: "1.1.0"\npolicies:\n${policy}`);
  expect(problems).toMatchObject([
    {
      code: 'unknown_exception',
      suggestion:
        suggested === undefined
          ? 'nothing to do if your own code throws it'
          : `did you mean ${suggested}?`,
    },
  ]);
});

describe('a file of version 1.0.0 must have policies and subsystem_mappings', () => {
  it('version alone is not valid', () => {
    const { valid, problems } = parseConfig('version: "1.0.0"\n');
    expect(valid).toBe(false);
    expect(problems).toMatchObject([
      {
        code: 'missing_field',
        path: 'policies',
        message: 'policies is missing: version 1.0.0 requires it',
        suggestion: 'add policies: {}, or write version: "1.1.0", which may leave it out',
      },
      { code: 'missing_field', path: 'subsystem_mappings' },
    ]);
  });

  it.each([
    ['version: "1.0.0"\npolicies: {}\n', ['subsystem_mappings']],
    ['version: "1.0.0"\nsubsystem_mappings: {}\n', ['policies']],
    ['version: "1.0.7"\nsubsystem_mappings: {}\n', ['policies']],
    ['version: "1.0.0"\npolicies:\nsubsystem_mappings:\n', []],
    ['version: "1.1.0"\n', []],
  ])('%j lacks %j', (text, missing) => {
    const { valid, problems } = parseConfig(text);
    expect(problems.map(({ path }) => path)).toEqual(missing);
    expect(valid).toBe(missing.length === 0);
  });
});
