import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { ENVIRONMENT_BUSES } from '../environment/variables.ts';
import { PRESETS } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { templateFields } from '../sections/event-template.ts';
import { SWEEP_PRESET } from '../sections/sweeps-section.ts';

const ADDRESS = /^(?:mongodb(?:\+srv)?:\/\/|postgres(?:ql)?:\/\/|sqlite:.)/;
const FIELDS = [
  ...['id_field', 'status_field', 'count_field', 'time_field', 'mark_field', 'error_field'],
  ...['created_field', 'priority_field', 'event_field', 'table'],
];
/** MongoDB gives names with a dollar another meaning; databases, logs and terminals do so with control characters. */
const ODD_NAME = /^$|\$|\p{Cc}/u;
const MAX_NAME_LENGTH = 100;
const CHANGES: readonly unknown[] = ['insert', 'update', 'replace', 'delete'];

/** A collection names a database, a bus, fields and statuses that can be, and has an event, a destination and a policy. */
export function checkSweeps(content: FileContent): Problem[] {
  const buses = { ...ENVIRONMENT_BUSES, ...record(content.sections.buses) };
  const { collections } = record(content.sections.sweeps);
  const sources = record(record(content.sections.events).sources);
  const known = new Set([...content.policies.keys(), ...Object.keys(PRESETS.documents.policies)]);
  return Object.entries(record(collections)).flatMap(([name, given]) => {
    const collection = record(given);
    const wrong = (key: string, message: string): Problem =>
      finding('invalid_sweep', content.placeOf(['sweeps', 'collections', name, key]), message);
    const problems: Problem[] = [];
    const { source, bus, policy } = collection;
    if (ODD_NAME.test(name) || /[{}"]/.test(name) || name.length > MAX_NAME_LENGTH)
      problems.push(wrong('source', `${JSON.stringify(name)} cannot be the name of a collection`));
    if (typeof source === 'string' && !ADDRESS.test(source)) {
      const message = `${name}: no adapter knows this database; write mongodb://, postgres:// or sqlite:`;
      problems.push(wrong('source', message));
    }
    if (typeof bus === 'string' && !Object.hasOwn(buses, bus))
      problems.push(wrong('bus', `${name} names the bus ${bus}, which is not under buses`));
    for (const key of FIELDS) {
      const field = collection[key];
      if (typeof field === 'string' && ODD_NAME.test(field))
        problems.push(
          wrong(key, `${name}: ${JSON.stringify(field)} cannot be the name of a field`),
        );
    }
    problems.push(...templateProblems(name, collection.data, wrong));
    problems.push(...sourceProblems(name, collection.event_source, sources, wrong));
    for (const key of ['event', 'destination']) {
      if (collection[key] === undefined && !Object.hasOwn(SWEEP_PRESET, name))
        problems.push(wrong('source', `${name} has no ${key}, and is not in the preset`));
    }
    const { failed_event: failed, failed_destination: failedTo } = collection;
    if ((failed === undefined) !== (failedTo === undefined) && !Object.hasOwn(SWEEP_PRESET, name))
      problems.push(wrong('source', `${name} needs both failed_event and failed_destination`));
    if (policy === undefined && !known.has(`documents.${name}`)) {
      const message = `${name} has no policy, and no policy is called documents.${name}`;
      problems.push(wrong('source', message));
    }
    problems.push(...statusProblems(name, collection, wrong));
    // A source that is left out is that of the environment.
    const isMongodb = String(source ?? 'mongodb').startsWith('mongodb');
    if (Number(collection.minimum_age) > 0 && collection.created_field === undefined && !isMongodb)
      problems.push(wrong('minimum_age', `${name} has a minimum_age, but no created_field`));
    for (const kind of Array.isArray(collection.changes) ? collection.changes : []) {
      if (!CHANGES.includes(kind))
        problems.push(
          wrong('changes', `${name}: ${kind} is not a change; write ${CHANGES.join(', ')}`),
        );
    }
    if (collection.changes !== undefined && !isMongodb)
      problems.push(
        wrong('changes', `${name}: only MongoDB has changes to follow; others have the outbox`),
      );
    return problems;
  });
}

type Wrong = (key: string, message: string) => Problem;

/** Bytes of a template as JSON. Its values come on top. */
const MAX_TEMPLATE_BYTES = 16_384;

function templateProblems(name: string, data: unknown, wrong: Wrong): Problem[] {
  if (data === undefined) return [];
  const text = JSON.stringify(data);
  const fields = templateFields(data);
  const odd = fields.filter((field) => ODD_NAME.test(field));
  const problems = odd.map((field) => `"$${field}" names no field`);
  if (fields.length === 0)
    problems.push(
      'data names no field of the document, so all events would be the same; write "$_id" for the value of the field _id',
    );
  if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES)
    problems.push(`data has more than ${MAX_TEMPLATE_BYTES} bytes`);
  if (!isJson(data)) problems.push('data has a number that JSON does not have');
  return problems.map((problem) => wrong('data', `${name}: ${problem}`));
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}

function sourceProblems(
  name: string,
  given: unknown,
  sources: Readonly<Record<string, unknown>>,
  wrong: Wrong,
): Problem[] {
  const { source, ids } = record(given);
  if (typeof source !== 'string') return [];
  const key = 'event_source';
  if (!Object.hasOwn(sources, source)) {
    const message = `${name} has its events from ${source}, which is not under events.sources`;
    return [wrong(key, message)];
  }
  const paths = ids ?? record(sources[source]).key;
  if (Array.isArray(paths) && paths.length > 0) return [];
  const message = `${name} does not say where the ids of documents are in the events of ${source}; write ids, such as [data.message_ids]`;
  return [wrong(key, message)];
}

function statusProblems(
  name: string,
  { pending, done, failed }: Readonly<Record<string, unknown>>,
  wrong: Wrong,
): Problem[] {
  const lists = Object.entries({ pending, done }).flatMap(([key, list]) =>
    Array.isArray(list) ? [[key, list] as const] : [],
  );
  const empty = lists.filter(([, list]) => list.length === 0);
  const all = [...lists.flatMap(([, list]) => list), ...(failed === undefined ? [] : [failed])];
  const twice = all.find((status, at) => all.indexOf(status) !== at);
  return [
    ...empty.map(([key]) => wrong(key, `${name} has no status under ${key}`)),
    ...(twice === undefined
      ? []
      : [wrong('pending', `${name} has the status ${String(twice)} twice`)]),
  ];
}
