import {
  afterStarts,
  type ClaimRate,
  countedValue,
  countsLanes,
  nextSliceMs,
  type RatedJob,
  rateRoom,
  type UsedRate,
} from './rate.ts';

/** When nothing was started for so long after the burst was free again, no job has waited. */
const IDLE_MS = 10_000;

/** A value of a rate during one claim. */
interface Room {
  readonly rate: ClaimRate;
  readonly value: string;
  readonly stored: UsedRate | undefined;
  left: number;
  starts: number;
  refused: boolean;
}

/** A value that a claim has used, or that has kept a job back. */
export interface RateChange extends UsedRate {
  readonly rate: ClaimRate;
  readonly value: string;
  /** It has kept a job back. */
  readonly refused: boolean;
  /** When it lets the next jobs start. */
  readonly nextMs: number;
}

/** Counts the starts of one claim against its rates. `read`: what the store keeps of a value. */
export class RateRooms {
  readonly #rates: readonly ClaimRate[];
  readonly #ofLanes: readonly ClaimRate[];
  readonly #read: (name: string, value: string) => UsedRate | undefined;
  readonly #nowMs: number;
  /** By rate, then by value. */
  readonly #rooms = new Map<ClaimRate, Map<string, Room>>();
  /** The rooms of the job that was asked about last: mostly it starts next. */
  #last: { readonly job: RatedJob; readonly rooms: readonly Room[] } | undefined;

  constructor(
    rates: readonly ClaimRate[],
    read: (name: string, value: string) => UsedRate | undefined,
    nowMs: number,
  ) {
    this.#rates = rates;
    this.#ofLanes = rates.filter(countsLanes);
    this.#read = read;
    this.#nowMs = nowMs;
    for (const rate of rates) this.#rooms.set(rate, new Map());
  }

  /** The rate that keeps this job back. `undefined`: it may start. */
  refusal(job: RatedJob): { readonly rate: ClaimRate; readonly value: string } | undefined {
    const rooms = this.#roomsOf(job, this.#rates);
    this.#last = { job, rooms };
    let refused: Room | undefined;
    for (const room of rooms) {
      if (room.left > 0) continue;
      room.refused = true;
      // A lane that is closed keeps its jobs: so they need not be kept back one by one.
      if (refused === undefined || countsLanes(room.rate)) refused = room;
    }
    return refused;
  }

  /** Whether no job of this lane may start. */
  closes({ handler, queue }: Pick<RatedJob, 'handler' | 'queue'>): boolean {
    if (this.#ofLanes.length === 0) return false;
    const rooms = this.#roomsOf({ handler, queue, tenant: '' }, this.#ofLanes);
    const used = rooms.filter(({ left }) => left === 0);
    for (const room of used) room.refused = true;
    return used.length > 0;
  }

  /** The job starts. */
  start(job: RatedJob): void {
    const last = this.#last;
    for (const room of last?.job === job ? last.rooms : this.#roomsOf(job, this.#rates)) {
      room.left -= 1;
      room.starts += 1;
    }
  }

  /** What the store has to keep. */
  *changes(): Generator<RateChange> {
    const nowUs = this.#nowMs * 1_000;
    for (const rooms of this.#rooms.values()) {
      for (const { rate, value, stored, left, starts, refused } of rooms.values()) {
        const before = stored?.fullUs ?? 0;
        const fullUs = afterStarts(before, rate, nowUs, starts);
        // If jobs had waited all the time, a claim would have taken some since.
        const isLately = before > nowUs - Math.max(rate.perMs, IDLE_MS) * 1_000;
        const waitedMs = isLately && (refused || left === 0) ? stored?.sinceMs : undefined;
        const sinceMs = refused ? (waitedMs ?? this.#nowMs) : waitedMs;
        if (starts === 0 && !refused && sinceMs === stored?.sinceMs) continue;
        const nextMs = this.#nowMs + nextSliceMs(fullUs, rate, nowUs);
        yield { rate, value, fullUs, sinceMs, refused, nextMs };
      }
    }
  }

  #roomsOf(job: RatedJob, rates: readonly ClaimRate[]): Room[] {
    const found: Room[] = [];
    for (const rate of rates) {
      const value = countedValue(rate, job);
      if (value === undefined) continue;
      const known = this.#rooms.get(rate);
      let room = known?.get(value);
      if (room === undefined) {
        const stored = this.#read(rate.name, value);
        const left = rateRoom(stored?.fullUs ?? 0, rate, this.#nowMs * 1_000);
        room = { rate, value, stored, left, starts: 0, refused: false };
        known?.set(value, room);
      }
      found.push(room);
    }
    return found;
  }
}
