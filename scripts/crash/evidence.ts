import { join } from 'node:path';
import { Journal, readJournal } from './journal.ts';

// What the harness knows by itself. It keeps this outside of the system under test, and believes nothing else.

/** A job on its way in. Jobs are known by the key that the harness gives them: an id comes only with the answer. */
export interface Submission {
  readonly key: string;
  /** Of the job, once it was accepted. */
  readonly id?: string;
  readonly atMs: number;
}

/** Something that a handler did. */
export interface Deed {
  /** `recorded`: the ledger knows of the effect. `fail`: as planned, or because of the store. `end`: it returned. */
  readonly what: 'start' | 'effect' | 'recorded' | 'fail' | 'end';
  readonly key: string;
  readonly worker: string;
  readonly attempt: number;
  readonly token: number;
  /** Of `effect` and `recorded`: the ledger's. */
  readonly ledgerToken?: number;
  readonly atMs: number;
}

/** What the store answered to an attempt's end. */
export interface Ending {
  readonly id: string;
  readonly worker: string;
  /** Of the attempt that ended, as it was claimed. */
  readonly token: number;
  readonly to: string;
  readonly refusal?: string;
  readonly atMs: number;
}

/** What the harness did to a process. `ready`: a worker has begun to work. */
export interface Blow {
  readonly kind: 'kill' | 'pause' | 'resume' | 'ready';
  readonly worker: string;
  readonly atMs: number;
}

/** What a worker had to say. */
export interface Remark {
  readonly worker: string;
  readonly kind: string;
  readonly text: string;
  readonly atMs: number;
}

/** Messages that a broker has delivered together, by the numbers that they were sent with. */
export interface DeliveredBatch {
  readonly worker: string;
  readonly sends: readonly number[];
  readonly atMs: number;
}

/** Counters of a worker, as a scraper would have read them. */
export interface Scrape {
  readonly worker: string;
  readonly lines: string;
}

/** The files of a run. Each process has its own handles to the same files. */
export class Evidence {
  readonly attempted: Journal<Submission>;
  readonly accepted: Journal<Submission>;
  readonly deeds: Journal<Deed>;
  readonly endings: Journal<Ending>;
  readonly blows: Journal<Blow>;
  readonly remarks: Journal<Remark>;
  readonly deliveries: Journal<DeliveredBatch>;
  readonly scrapes: Journal<Scrape>;

  constructor(directory: string) {
    this.attempted = new Journal(join(directory, 'attempted'));
    this.accepted = new Journal(join(directory, 'accepted'));
    this.deeds = new Journal(join(directory, 'deeds'));
    this.endings = new Journal(join(directory, 'endings'));
    this.blows = new Journal(join(directory, 'blows'));
    this.remarks = new Journal(join(directory, 'remarks'));
    this.deliveries = new Journal(join(directory, 'deliveries'));
    this.scrapes = new Journal(join(directory, 'scrapes'));
  }
}

/** Notes the warnings of a store. */
export function storeWarnings({ remarks }: Evidence, worker: string): (text: string) => void {
  return (text) => remarks.write({ worker, kind: 'store_warning', text, atMs: Date.now() });
}

/** All that is known when a run is over. */
export interface Facts {
  readonly attempted: readonly Submission[];
  readonly accepted: readonly Submission[];
  readonly deeds: readonly Deed[];
  readonly endings: readonly Ending[];
  readonly blows: readonly Blow[];
  readonly remarks: readonly Remark[];
  readonly scrapes: readonly Scrape[];
}

export function readEvidence(directory: string): Facts {
  return {
    attempted: readJournal(join(directory, 'attempted')),
    accepted: readJournal(join(directory, 'accepted')),
    deeds: readJournal(join(directory, 'deeds')),
    endings: readJournal(join(directory, 'endings')),
    blows: readJournal(join(directory, 'blows')),
    remarks: readJournal(join(directory, 'remarks')),
    scrapes: readJournal(join(directory, 'scrapes')),
  };
}
