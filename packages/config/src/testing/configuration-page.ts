import { SERVERS, VARIABLES } from '../environment/variables.ts';
import { PRESETS } from '../presets/presets.ts';
import { type CodeDoc, PROBLEM_CODES } from '../problem/codes.ts';
import { expectedText } from '../shape/expected.ts';
import { fileShape } from '../shape/file-shape.ts';
import { fileNameOf } from '../shape/policy-shape.ts';
import type { ObjectShape, Shape, ValueShape } from '../shape/shape.ts';

/** The text of `docs/reference/configuration.md`: every key, every preset, every code, from the tables themselves. */
export function configReference(): string {
  const shape = fileShape();
  return [
    INTRODUCTION,
    '## Top level',
    objectTable(shape),
    ...Object.entries(shape.fields)
      .filter(([, part]) => part.kind !== 'value')
      .flatMap(([name, part]) => sectionText(name, part)),
    LOOK_UP,
    presetsText(),
    ENVIRONMENT,
    variablesText(),
    PROBLEMS,
    codesText(),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const INTRODUCTION = `# Configuration

<!-- Made from the tables in packages/config/src: see testing/configuration-page.test.ts. -->

\`redrive.yaml\` holds all retry policies, the store and the handlers of jobs, in YAML 1.2 or JSON. \`redrive config init\` writes a complete sample, \`redrive config validate\` checks a file, \`redrive config schema\` prints the JSON Schema for your editor.

- Times are seconds. \`max_attempts\` counts the first call.
- The format has versions. A file of version 1.0.0 loads, and must have \`policies\` and \`subsystem_mappings\`. The column *since* marks the keys that 1.1.0 added. A newer major version is refused.
- Precedence: flags, then environment, then the file, then the policy that it \`extends\`, then \`global_defaults\`, then built-in defaults. \`redrive config show --effective\` shows the source of every value.
- A file has at most 256 KiB, 32 levels and 100 aliases. Tags, merge keys, \`__proto__\` and unknown keys are errors. Names are exact: patterns such as \`mail.*\` work only in [\`causes\`](#causes).`;

const LOOK_UP = `## Look-up

The first rule that fits a name finds its policy. \`redrive policies explain <name>\` says which rule it was.

| rule | \`matched_by\` | example |
|---|---|---|
| a category: its code, its short name, or the spelling of old files | \`category\` | \`RETRY_KV_GET\`, \`KV_GET\`, \`REPLAY_REPLAY_VALIDATION\` |
| a policy's id | \`policy\` | \`browser_state_timeout\`, \`events.default\` |
| a subsystem path that is mapped | \`path\` | \`browser.state_operations.timeout\` |
| the \`default\` of the path's group, or of the groups around it | \`group_default\` | \`browser.session_operations.restore\` |
| any other path | \`global_defaults\` | \`search.index.refresh\` |

A name without a dot that fits no rule is an error. For the last rule, fields that \`global_defaults\` leaves out are: 3 attempts, exponential back-off from 1 to 30 seconds.`;

const ENVIRONMENT = `## Environment

An environment variable overrides the file, and a flag overrides a variable. Each variable applies to one group of policies only, and its name says its unit. A value that is not a plain number is an error; an empty value has no effect.`;

const PROBLEMS = `## Problems

A problem is \`{ severity, code, path, line, column, message, suggestion }\`. All problems are reported at once, up to 100. Redrive refuses a file with an error and accepts a file with warnings. A lint is a warning about a valid file that probably behaves otherwise than you expect.`;

function sectionText(name: string, shape: Shape): string[] {
  const heading = `## \`${name}\``;
  const since = (shape.since ?? '1.1.0') === '1.0.0' ? '' : ' Since 1.1.0.';
  const text = `${shape.meaning}${since}`;
  return [heading, text, ...bodyText(name, shape)];
}

function bodyText(path: string, shape: Shape): string[] {
  if (shape.kind === 'map') {
    const inner = `${path}.<${shape.key}>`;
    if (shape.of.kind === 'value') {
      return [`Each \`${inner}\` is ${expectedText(shape.of)}. ${shape.of.meaning}`];
    }
    return [`Each \`${inner}\` has:`, ...bodyText(inner, shape.of)];
  }
  if (shape.kind !== 'object') return [];
  const parts = Object.entries(shape.fields).filter(
    ([, { kind }]) => kind !== 'value' && kind !== 'json',
  );
  return [
    objectTable(shape),
    ...parts.flatMap(([name, part]) => [
      `### \`${path}.${name}\``,
      part.meaning,
      ...bodyText(`${path}.${name}`, part),
    ]),
  ];
}

function objectTable({ fields }: ObjectShape): string {
  const rows = Object.entries(fields).map(([name, shape]) => {
    const cells =
      shape.kind === 'value' ? valueCells(shape) : ['a map', emptyText(shape), shape.meaning];
    return `| \`${name}\` | ${cells.join(' | ')} | ${shape.since ?? '1.1.0'} |`;
  });
  return ['| key | allowed | default | meaning | since |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function emptyText(shape: Shape): string {
  if (shape.kind === 'json') return shape.fallbackText ?? 'empty';
  return shape.kind === 'object' && shape.optional ? 'none' : 'empty';
}

function valueCells(shape: ValueShape): string[] {
  return [expectedText(shape), defaultText(shape), shape.meaning];
}

function defaultText({ required, fallback, fallbackText }: ValueShape): string {
  if (required === 'always') return 'required';
  if (required === 'unless_inherited') return 'required, unless inherited';
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return 'none';
  return `\`${JSON.stringify(fallback)}\``;
}

function presetsText(): string {
  const lines = Object.values(PRESETS).flatMap(({ name, meaning, policies }) => [
    `### \`${name}\``,
    `${meaning}${Object.values(policies).some(({ unclassified }) => unclassified === 'final') ? ' An unclassified error is final.' : ''}`,
    [
      '| policy | attempts | base | cap | jitter | for |',
      '|---|---|---|---|---|---|',
      ...Object.entries(policies).map(([id, policy]) => {
        const { maxAttempts, baseDelayMs = 0, maxDelayMs = 0, jitter, jitterAmount } = policy;
        const spread = jitter === 'none' ? 'none' : `${jitter} ${jitterAmount}`;
        return `| \`${id}\` | ${maxAttempts} | ${baseDelayMs / 1_000} s | ${maxDelayMs / 1_000} s | ${spread} | ${policy.description} |`;
      }),
    ].join('\n'),
  ]);
  return [
    '## Presets',
    'Presets are policies that exist without a file. Build on one with `extends: <policy>`. To replace a preset, define a policy of the same name that `extends` it. Waits double each time; `documents.*` make the first retry at once (waits of 0, 10, 20 and 40 minutes before attempts 2 to 5), and `events.default` has a TTL of 30 minutes.',
    ...lines,
  ].join('\n\n');
}

function variablesText(): string {
  const rows = VARIABLES.map(({ name, unit, target, meaning }) => {
    const sets =
      'field' in target
        ? `${fileNameOf(target.field)}\` of \`${target.policyId}`
        : `${target.section}.${target.key}`;
    return `| \`${name}\` | ${unit} | \`${sets}\` | ${meaning} |`;
  });
  const servers = Object.entries(SERVERS).map(([server, parts]) => {
    const names = parts.map(({ part, isSecret }) => {
      const name = `${server.toUpperCase()}_${part}`;
      return isSecret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
    });
    return `| ${names.join(', ')} | ${SERVER_MEANINGS[server as keyof typeof SERVERS]} |`;
  });
  return [
    ['| variable | unit | sets | meaning |', '|---|---|---|---|', ...rows].join('\n'),
    'Collections of documents that leave `source` or `bus` out have them from the environment, and a source of events may name the bus `rabbitmq`. `…_FILE` names a file with the secret alone, of at most 4,096 bytes. These variables are read only where a collection or a source needs them, and their values are never shown.',
    ['| variables | give |', '|---|---|', ...servers].join('\n'),
  ].join('\n\n');
}

const SERVER_MEANINGS = {
  mongodb:
    '`source`: the database of a MongoDB server. Host and database are required, the port is 27017 by default, and the user is one of the database `admin`. For anything else write a URL.',
  rabbitmq:
    '`bus`: the bus `rabbitmq`. The host is required, the port is 5672 by default, and the virtual host is `/`.',
} as const;

function codesText(): string {
  const rows = Object.entries<CodeDoc>(PROBLEM_CODES).map(
    ([code, { kind, meaning, remedy }]) => `| \`${code}\` | ${kind} | ${meaning} | ${remedy} |`,
  );
  return ['| code | kind | what is wrong | what to do |', '|---|---|---|---|', ...rows].join('\n');
}
