import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Sweep } from '@redrive/durable/documents';
import type { Actor, ReadKind } from '@redrive/durable/store';
import type { Access, DoctorAnswer } from '@redrive/operate';
import type { InputProblem } from '@redrive/operate/manifest';
import type * as z from 'zod';
import type { Role, Who } from './access/who.ts';
import type { ChangeFeed } from './changes/change-feed.ts';

/** A request whose input was checked, and who sent it. */
export interface Ask<Input> {
  readonly store: FullStore;
  readonly clock: Clock;
  /** In force now. */
  readonly config: Config;
  /** The collections that are swept, with their databases open. */
  readonly sweeps: () => Promise<readonly Sweep[]>;
  readonly access: Access;
  /** Absent: this server cannot check itself. */
  readonly doctor?: (() => Promise<DoctorAnswer>) | undefined;
  readonly who: Who;
  /** For the audit log, with the reason of the request. */
  readonly actor: Actor;
  /** Path, query and body together. */
  readonly input: Input;
  /** `Idempotency-Key` of the request. */
  readonly key: string | undefined;
  readonly signIn: SignInActs;
  /** Makes a single-use address for a path, with the rights of this request. */
  readonly download: (path: string) => string;
  readonly changes: ChangeFeed;
  readonly connection: Connection;
  /** Aborted when the time of the request is over, or the reader of a GET has left: begin nothing more. */
  readonly givenUp: AbortSignal;
  /** A line for the caller beside the answer. */
  readonly warn: (message: string) => void;
  /** The store's time of the answer. */
  readonly asOf: (nowMs: number) => void;
}

/** For routes that send as long as somebody reads. */
export interface Connection {
  /** `Last-Event-ID` of the request. */
  readonly lastEventId: string | undefined;
  /** Aborted when the connection has ended. */
  readonly closed: AbortSignal;
  /** Ends it at once. */
  cut(): void;
}

/** Signing in and out of a browser: its cookie goes along with the answer. */
export interface SignInActs {
  /** Signs an admin in. `undefined`: the code is wrong, was used, or is older than ten minutes. */
  byCode(code: string): Promise<SignedIn | undefined>;
  /** Signs the owner of a token in, with its rights. `undefined`: the token is wrong. */
  byToken(token: string): Promise<SignedIn | undefined>;
  end(): Promise<void>;
}

interface SignedIn {
  readonly role: Role;
  /** For the header `x-redrive-key` of each request: the cookie is worth nothing without it. */
  readonly key: string;
}

/**
 * A route as data: registration, OpenAPI, the reference page and the test of roles are made from it. `actionRoute` makes
 * it from an action.
 */
export interface Route<Input = never> {
  /** The action that it carries out: `gates.release`. Absent: it is the server's own. */
  readonly name?: string;
  /** GET reads, POST changes. */
  readonly method: 'GET' | 'POST';
  /** `/v1/jobs/:id` */
  readonly path: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Whole sentences beyond the summary. */
  readonly details?: string;
  /** The lowest role that may call it. `public`: anybody, without a token. */
  readonly role: Role | 'public';
  /** The part of the store that it shows. The look is on record before anything is read. */
  readonly reads?: ReadKind;
  /** Data leaves the store: each look is on record. */
  readonly exports?: true;
  /** A token of one tenant may call it: the handler puts the tenant into every filter. Others are refused. */
  readonly tenants?: true;
  /** Pages ask for it again and again: one read of the store answers everybody for five seconds, or until somebody acts. */
  readonly polled?: true;
  /** It may read much of the store: a server runs at most two such requests at once. */
  readonly heavy?: true;
  /** The request needs a `reason`. */
  readonly reason?: true;
  /** Names that stand in the path, the query (GET) and the body (POST). */
  readonly input: z.ZodType<Input>;
  /** Problems of fields together. */
  readonly check?: (input: Input) => readonly InputProblem[];
  readonly answer: z.ZodType;
  /** A text that is sent as it is made, instead of a document. */
  readonly stream?: 'application/x-ndjson' | 'text/event-stream';
  /** It lasts as long as its reader wants: a server sends at most 20 of them at once. */
  readonly endless?: true;
  readonly handle: (ask: Ask<Input>) => Promise<unknown> | AsyncIterable<string | Buffer>;
  /** The filters in the body of a POST that reads, for the record of the look. Those of a GET are its query. */
  readonly wishes?: (input: Input) => Readonly<Record<string, unknown>>;
}

/** A route of any input. */
export type AnyRoute = Omit<Route, 'input' | 'check' | 'handle' | 'wishes'> & {
  readonly input: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: as for `handle`.
  readonly check?: (input: any) => readonly InputProblem[];
  // biome-ignore lint/suspicious/noExplicitAny: as for `handle`.
  readonly wishes?: (input: any) => Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: each handler takes what its own schema makes; `route` has checked that.
  readonly handle: (ask: Ask<any>) => Promise<unknown> | AsyncIterable<string | Buffer>;
};

/** A route as it is declared: `at` is its method and its path. */
type RouteSpec<Input> = Omit<Route<Input>, 'method' | 'path'> & {
  readonly at: `${Route['method']} /${string}`;
};

/** Ties the handler's input to the schema. */
export function route<Input>({ at, ...one }: RouteSpec<Input>): AnyRoute {
  const [method, path] = at.split(' ') as [Route['method'], string]; // As its type says.
  return { ...one, method, path };
}
