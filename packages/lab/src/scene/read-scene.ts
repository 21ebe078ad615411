import { definePolicy, isRedriveError, type Policy, type ResolvedPolicy } from '@redrive/core';
import {
  type FieldProblem,
  type OptionTable,
  POLICY_FIELD_DOCS,
  resolveOptions,
} from '@redrive/core/fields';
import type { Spread } from '../chance/spread.ts';
import {
  type Arrivals,
  arrivalsEndMs,
  type Callers,
  type DependencyModel,
  type Outage,
  type Outages,
  type Scene,
  type SharedError,
} from './scene.ts';
import * as tables from './scene-tables.ts';

/** A fault of a scene, and the way to it: `callers.layers[0].max_attempts`. */
export interface SceneProblem {
  readonly path: string;
  readonly message: string;
}

export type ReadScene =
  | { readonly scene: Scene; readonly problems?: undefined }
  | { readonly scene?: undefined; readonly problems: readonly SceneProblem[] };

/** The policy of the configuration with this name. `undefined`: there is none. */
export type PolicyByName = (name: string) => Policy | undefined;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a scene, as parsed YAML or JSON. All its problems are reported at once.
 *
 * @param policyNamed finds the policies that layers name instead of writing them out.
 */
export function readScene(value: unknown, policyNamed: PolicyByName = () => undefined): ReadScene {
  const reader = new SceneReader(policyNamed);
  const scene = reader.scene(value);
  return reader.problems.length === 0 ? { scene } : { problems: reader.problems };
}

/** A faulty part is read as it is: its other problems are found too, and nobody gets the scene. */
class SceneReader {
  readonly problems: SceneProblem[] = [];
  readonly #policyNamed: PolicyByName;

  constructor(policyNamed: PolicyByName) {
    this.#policyNamed = policyNamed;
  }

  scene(value: unknown): Scene {
    const { name, description, after, ...parts } = this.#fields('', value, tables.SCENE);
    const scene = {
      name: String(name),
      description: String(description),
      arrivals: this.#arrivals('arrivals', parts.arrivals),
      afterMs: ms(after),
      dependency: this.#dependency('dependency', parts.dependency),
      callers: this.#callers('callers', parts.callers),
    };
    this.#refuseTooMuch(scene);
    const { kind, layers } = scene.callers;
    if (kind === 'jobs' && layers.length > 1)
      this.#refuse(
        'callers.layers',
        'jobs have one layer: a handler that retries is one attempt of it',
      );
    if (scene.dependency.row !== undefined && kind === 'jobs')
      this.#refuse('dependency.row', 'a row is for callers of the kind calls');
    return scene;
  }

  /** Attempts are counted while a scene runs. These can be counted before. */
  #refuseTooMuch({ arrivals, afterMs, dependency: { others, outages } }: Scene): void {
    const limit = (path: string, count: number, most: number, what: string) => {
      if (!(count > most)) return;
      const numbers = `at most ${most.toLocaleString('en')}, not ${Math.round(count).toLocaleString('en')}`;
      this.#refuse(path, `it makes too many ${what}: ${numbers}`);
    };
    const seconds = (arrivalsEndMs(arrivals) + afterMs) / 1_000;
    if (arrivals.kind === 'rate') {
      const sessions = (arrivals.perSecond * arrivals.forMs) / 1_000;
      limit('arrivals.rate', sessions, tables.MAX_SESSIONS, 'sessions');
    }
    const calls = (others?.perSecond ?? 0) * seconds;
    limit('dependency.others.rate', calls, tables.MAX_OTHERS, 'calls');
    if (outages.kind === 'drawn') {
      const count = (seconds * 1_000) / outages.everyMs;
      limit('dependency.outages.every', count, tables.MAX_OUTAGES, 'outages');
    }
  }

  #arrivals(path: string, value: unknown): Arrivals {
    const kind = this.#kindOf(path, value, tables.ARRIVALS);
    const fields = this.#fields(path, value, tables.ARRIVALS[kind]);
    if (kind === 'at_once') return { kind, count: Number(fields.at_once) };
    if (kind === 'times') {
      const timesMs = list(fields.times).map((time, n) => this.#time(`${path}.times[${n}]`, time));
      if (timesMs.length === 0) this.#refuse(`${path}.times`, 'it is empty');
      return { kind, timesMs: timesMs.toSorted((a, b) => a - b) };
    }
    const spacing = fields.spacing === 'even' ? 'even' : 'random';
    return { kind, perSecond: Number(fields.rate), forMs: ms(fields.for), spacing };
  }

  #dependency(path: string, value: unknown): DependencyModel {
    const fields = this.#fields(path, value, tables.DEPENDENCY);
    const errors = list(fields.errors).map((error, n) => {
      const {
        share,
        class: of,
        retry_after,
      } = this.#fields(`${path}.errors[${n}]`, error, tables.ERROR);
      return {
        share: Number(share),
        errorClass: errorClassOf(of),
        retryAfterMs: retry_after === undefined ? undefined : ms(retry_after),
      };
    });
    if (errors.reduce((sum, { share }) => sum + share, 0) > 1 + 1e-9)
      this.#refuse(`${path}.errors`, 'the shares add up to more than 1');
    const others =
      fields.others === undefined
        ? undefined
        : this.#fields(`${path}.others`, fields.others, tables.OTHERS);
    const row =
      fields.row === undefined ? undefined : this.#fields(`${path}.row`, fields.row, tables.ROW);
    return {
      capacityPerSecond: Number(fields.capacity),
      latency: this.#spread(`${path}.latency`, fields.latency),
      expired: fields.expired === 'dropped' ? 'dropped' : 'executed',
      errors,
      outages: this.#outages(`${path}.outages`, fields.outages),
      others: others && { perSecond: Number(others.rate), timeoutMs: ms(others.timeout) },
      row: row && { network: this.#spread(`${path}.row.network`, row.network) },
    };
  }

  #outages(path: string, value: unknown): Outages {
    if (!Array.isArray(value)) return this.#drawnOutages(path, value);
    const outages: Outage[] = value.map((each, n) => {
      const fields = this.#fields(`${path}[${n}]`, each, tables.OUTAGE);
      const fromMs = ms(fields.from);
      return { fromMs, untilMs: fromMs + ms(fields.for), kind: outageKind(fields.kind) };
    });
    outages.forEach(({ fromMs }, n) => {
      const before = outages[n - 1];
      if (before !== undefined && fromMs < before.untilMs)
        this.#refuse(`${path}[${n}]`, 'it begins before the outage before it ends');
    });
    return { kind: 'listed', outages };
  }

  #drawnOutages(path: string, value: unknown): Outages {
    const { every, lasts, kind } = this.#fields(path, value, tables.DRAWN_OUTAGES);
    const parts = Array.isArray(lasts) ? lasts : [lasts];
    if (parts.length === 0) this.#refuse(`${path}.lasts`, 'it is empty');
    return {
      kind: 'drawn',
      everyMs: ms(every),
      outage: outageKind(kind),
      lasts: parts.map((part, n) => {
        const { share = 1, ...spread } = Object(part);
        if (!(Number(share) > 0)) this.#refuse(`${path}.lasts[${n}].share`, 'it must be above 0');
        return { share: Number(share), spread: this.#spread(`${path}.lasts[${n}]`, spread) };
      }),
    };
  }

  #spread(path: string, value: unknown): Spread {
    const kind = this.#kindOf(path, value, tables.SPREADS);
    const fields = this.#fields(path, value, tables.SPREADS[kind]);
    switch (kind) {
      case 'fixed':
        return { kind, ms: ms(fields.fixed) };
      case 'median':
        return { kind: 'lognormal', medianMs: ms(fields.median), sigma: Number(fields.sigma) };
      case 'mean': {
        const deviationMs = ms(fields.deviation);
        return { kind: 'normal', meanMs: ms(fields.mean), deviationMs, minMs: ms(fields.min) };
      }
      case 'exponential':
        return { kind, meanMs: ms(fields.exponential) };
      case 'percentiles':
        return { kind, points: this.#percentiles(`${path}.percentiles`, fields.percentiles) };
    }
  }

  /** `{ 50: 0.02, 99: 0.3 }` */
  #percentiles(path: string, value: unknown): (readonly [number, number])[] {
    const points = Object.entries(Object(value)).map(([percent, time]) => {
      const share = Number(percent) / 100;
      if (!(share >= 0 && share <= 1))
        this.#refuse(`${path}.${percent}`, 'a percentile is a number from 0 to 100');
      return [share, this.#time(`${path}.${percent}`, time)] as const;
    });
    points.sort(([a], [b]) => a - b);
    if (points.length === 0) this.#refuse(path, 'it is empty');
    if (points.some(([, time], n) => time < (points[n - 1]?.[1] ?? 0)))
      this.#refuse(path, 'a higher percentile has a shorter time');
    return points;
  }

  #callers(path: string, value: unknown): Callers {
    const fields = this.#fields(path, value, tables.CALLERS);
    const layers = list(fields.layers);
    if (layers.length === 0 || layers.length > tables.MAX_LAYERS)
      this.#refuse(`${path}.layers`, `there must be 1 to ${tables.MAX_LAYERS} layers`);
    const carried = list(fields.carries);
    const unknown = carried.find((name) => name !== 'deadline' && name !== 'allowance');
    if (unknown !== undefined) this.#refuse(`${path}.carries`, 'known are deadline and allowance');
    const kind = fields.kind === 'jobs' ? 'jobs' : 'calls';
    const isUnparked = kind === 'jobs' && fields.parking === false;
    return {
      kind,
      processes: Number(fields.processes),
      concurrency: Number(fields.concurrency),
      layers: layers.slice(0, tables.MAX_LAYERS).map((layer, n) => {
        const policy = this.#policy(`${path}.layers[${n}]`, layer);
        return isUnparked ? definePolicy({ ...policy, ...UNPARKED }) : policy;
      }),
      storedLayers: Number(fields.stored_layers),
      budget: this.#budget(`${path}.budget`, fields.budget),
      breaker: fields.breaker === 'fleet' ? 'fleet' : 'process',
      carries: { deadline: carried.includes('deadline'), allowance: carried.includes('allowance') },
    };
  }

  #budget(path: string, value: unknown): Callers['budget'] {
    if (value === undefined) return undefined;
    const { scope, ratio, floor_per_second, burst } = this.#fields(path, value, tables.BUDGET);
    return {
      scope: scope === 'fleet' ? 'fleet' : 'process',
      ratio: Number(ratio),
      floorPerSecond: Number(floor_per_second),
      burst: Number(burst),
    };
  }

  /** The name of a policy, or a policy as `redrive.yaml` writes it. */
  #policy(path: string, value: unknown): ResolvedPolicy {
    if (typeof value === 'string') {
      const named = this.#policyNamed(value);
      if (named === undefined) this.#refuse(path, `there is no policy with the name ${value}`);
      return definePolicy(named);
    }
    const codeNames = new Map(
      Object.entries(POLICY_FIELD_DOCS).map(([name, doc]) => [doc.file, { name, ...doc }]),
    );
    const given: [string, unknown][] = Object.entries(Object(value)).map(([field, text]) => {
      const { name = field, unit } = codeNames.get(field) ?? {};
      return [name, unit === undefined ? text : inMs(text)];
    });
    const defaults = [...codeNames.values()].flatMap(({ name, fileDefault }) =>
      fileDefault === undefined ? [] : [[name, fileDefault] as const],
    );
    const policy = { ...Object.fromEntries(defaults), ...Object.fromEntries(given) };
    const fileName = (field: string) => POLICY_FIELD_DOCS[field as keyof Policy]?.file ?? field; // It may be no field at all.
    return this.#checked(path, () => definePolicy(policy), definePolicy(), fileName);
  }

  /** Which of the kinds a part is, by the field that only this kind has. */
  #kindOf<Kind extends string>(
    path: string,
    value: unknown,
    kinds: Readonly<Record<Kind, unknown>>,
  ): Kind {
    const names = Object.keys(kinds) as Kind[]; // The keys of its type.
    const [first, ...rest] = names.filter((name) => name in Object(value));
    if (first === undefined || rest.length > 0)
      this.#refuse(path, `it must have one of ${names.join(', ')}`);
    return first ?? (names[0] as Kind); // Every table has a kind.
  }

  #fields(path: string, value: unknown, table: OptionTable<Fields>): Fields {
    const defaults = Object.entries(table).map(([name, [fallback]]) => [name, fallback] as const);
    const asGiven = { ...Object.fromEntries(defaults), ...Object(value) };
    return this.#checked(path, () => resolveOptions('scene', Object(value), table), asGiven);
  }

  /** `check` throws all problems of one part; they are noted with their path. */
  #checked<T>(path: string, check: () => T, fallback: T, fileName = (field: string) => field): T {
    try {
      return check();
    } catch (error) {
      const problems = isRedriveError(error) ? error.details.problems : undefined;
      if (!Array.isArray(problems)) throw error;
      for (const { field, message } of problems as FieldProblem[]) {
        // As `resolveOptions` throws them.
        const name = fileName(field);
        this.#refuse(
          path === '' ? name : `${path}.${name}`,
          message.replace(field, 'it').replaceAll(/\b[a-z]+[A-Z]\w*/g, fileName),
        );
      }
      return fallback;
    }
  }

  #time(path: string, value: unknown): number {
    if (typeof value === 'number' && value >= 0 && value <= 2_592_000) return value * 1_000;
    this.#refuse(path, 'it must be a number of seconds from 0 to 2592000');
    return 0;
  }

  /** A part with a problem has no further ones: they would follow from it. */
  #refuse(path: string, message: string): void {
    const isKnown = this.problems.some(
      (known) => path === known.path || path.startsWith(`${known.path}.`),
    );
    if (!isKnown) this.problems.push({ path, message });
  }
}

/** Without a breaker and without the gate of a dependency no job is ever parked. */
const UNPARKED = { enableCircuitBreaker: false, dependency: '' };
const errorClassOf = (of: unknown): SharedError['errorClass'] =>
  of === 'final' || of === 'rate_limited' ? of : 'retryable';
/** A value of another type stays as it is, and core refuses it. */
const inMs = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(inMs) : typeof value === 'number' ? value * 1_000 : value;
const ms = (seconds: unknown) => Number(seconds) * 1_000;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const outageKind = (kind: unknown) => (kind === 'stalls' ? 'stalls' : 'refuses');
