import { isUndecided, type OperationCourse } from './rules/index.ts';

/** The courses of acts on many, as a process knows them. */
export interface SeenCourses {
  of(kind: 'operation'): ReadonlyMap<string, { readonly document: OperationCourse }>;
  /** Calls back after every change. Answers how to stop. */
  onChange(listener: () => void): () => void;
}

interface Undecided {
  readonly operation: string;
  readonly generation: number;
  /** It came back, or waits for its turn: nothing of it runs until the course lets it go. */
  readonly waits: boolean;
}

/** Jobs that an act on many has sent, and whose ramp is not decided yet, as this process knows it. */
export class UndecidedItems {
  readonly #view: SeenCourses;
  #byId: ReadonlyMap<string, Undecided> | undefined;

  constructor(view: SeenCourses) {
    this.#view = view;
    view.onChange(() => {
      this.#byId = undefined;
    });
  }

  /** The operation that this generation of a job belongs to, if its ramp is undecided. */
  by(id: string, generation: number): string | undefined {
    return this.#find(id, generation)?.operation;
  }

  /** The operation that this generation of a job waits for. What is parked comes free by itself after a day. */
  holding(id: string, generation: number): string | undefined {
    const found = this.#find(id, generation);
    return found?.waits ? found.operation : undefined;
  }

  #find(id: string, generation: number): Undecided | undefined {
    this.#byId ??= this.#read();
    const found = this.#byId.get(id);
    return found?.generation === generation ? found : undefined;
  }

  #read(): ReadonlyMap<string, Undecided> {
    const byId = new Map<string, Undecided>();
    for (const [operation, { document }] of this.#view.of('operation')) {
      if (!isUndecided(document)) continue;
      const { underWay, held, again } = document;
      for (const { id, generation } of [...held, ...again]) {
        byId.set(id, { operation, generation, waits: true });
      }
      for (const { id, generation } of underWay) {
        byId.set(id, { operation, generation, waits: false });
      }
    }
    return byId;
  }
}
