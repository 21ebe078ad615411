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
  readonly name: string;
  readonly value: string;
  /** It has kept a job back. */
  readonly refused: boolean;
  /** When it lets the next jobs start. */
  readonly nextMs: number;
}

/** Counts the starts of one claim against its rates. `read`: what the store keeps of a value. */
export class RateRooms {
  readonly #rates: readonly ClaimRate[];
  readonly #read: (name: string, value: string) => UsedRate | undefined;
  readonly #nowMs: number;
  readonly #rooms = new Map<string, Room>();

  constructor(
    rates: readonly ClaimRate[],
    read: (name: string, value: string) => UsedRate | undefined,
    nowMs: number,
  ) {
    this.#rates = rates;
    this.#read = read;
    this.#nowMs = nowMs;
  }

  /** The rate that keeps this job back. `undefined`: it may start. */
  refusal(job: RatedJob): { readonly rate: ClaimRate; readonly value: string } | undefined {
    let refused: Room | undefined;
    for (const room of this.#roomsOf(job)) {
      if (room.left > 0) continue;
      room.refused = true;
      // A lane that is closed keeps its jobs: so they need not be kept back one by one.
      if (refused === undefined || countsLanes(room.rate)) refused = room;
    }
    return refused;
  }

  /** Whether no job of this lane may start. */
  closes(lane: Pick<RatedJob, 'handler' | 'queue'>): boolean {
    for (const room of this.#roomsOf({ ...lane, tenant: '' }, true)) {
      if (room.left > 0) continue;
      room.refused = true;
      return true;
    }
    return false;
  }

  /** The job starts. */
  start(job: RatedJob): void {
    for (const room of this.#roomsOf(job)) {
      room.left -= 1;
      room.starts += 1;
    }
  }

  /** What the store has to keep. */
  *changes(): Generator<RateChange> {
    const nowUs = this.#nowMs * 1_000;
    for (const { rate, value, stored, left, starts, refused } of this.#rooms.values()) {
      const before = stored?.fullUs ?? 0;
      const fullUs = afterStarts(before, rate, nowUs, starts);
      // If jobs had waited all the time, a claim would have taken some since.
      const isLately = before > nowUs - Math.max(rate.perMs, IDLE_MS) * 1_000;
      const waitedMs = isLately && (refused || left === 0) ? stored?.sinceMs : undefined;
      const sinceMs = refused ? (waitedMs ?? this.#nowMs) : waitedMs;
      if (starts === 0 && !refused && sinceMs === stored?.sinceMs) continue;
      const nextMs = this.#nowMs + nextSliceMs(fullUs, rate, nowUs);
      yield { name: rate.name, value, fullUs, sinceMs, refused, nextMs };
    }
  }

  *#roomsOf(job: RatedJob, ofLane = false): Generator<Room> {
    for (const rate of this.#rates) {
      if (ofLane && !countsLanes(rate)) continue;
      const value = countedValue(rate, job);
      if (value === undefined) continue;
      const key = `${rate.name}\u0001${value}`;
      let room = this.#rooms.get(key);
      if (room === undefined) {
        const stored = this.#read(rate.name, value);
        const left = rateRoom(stored?.fullUs ?? 0, rate, this.#nowMs * 1_000);
        room = { rate, value, stored, left, starts: 0, refused: false };
        this.#rooms.set(key, room);
      }
      yield room;
    }
  }
}
