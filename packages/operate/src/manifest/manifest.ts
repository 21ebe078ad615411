// Written by manifest.test.ts from the list of actions: `npx vitest run packages/operate -u`.
import type { ManifestEntry } from './manifest-entry.ts';

/** Every action by name. */
export const MANIFEST = {
  "gates.list": {
    "at": "GET /v1/gates",
    "summary": "list the closed gates, and when they open",
    "role": "viewer",
    "details": "When one attempt gets a Retry-After, the gate closes for all jobs with the same dependency, credential and tenant, in every process, for an hour at most.",
    "reads": "metrics",
    "input": [],
    "json": "gates | list | by name; empty: none is closed\ngates[].dependency | text | the dependency that is rate-limited\ngates[].credential | text or null | the credential that is rate-limited; null: all\ngates[].tenant | text or null | the tenant that is rate-limited; null: all\ngates[].until | time | when it opens by itself\ngates[].since | time | when it was closed\ngates[].cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed\ngates[].parked | number | jobs that wait for it, counted up to 10,000\ngates[].bounded | boolean | true: more jobs wait for it"
  },
  "gates.release": {
    "at": "POST /v1/gates/release",
    "summary": "open the gates of a dependency now",
    "role": "operator",
    "details": "The parked jobs are released at a growing pace. The next Retry-After closes the gate again.",
    "acts": true,
    "refusals": {
      "no_match": "no gate of that name is closed"
    },
    "input": [
      {
        "name": "dependency",
        "summary": "the dependency of the gates"
      },
      {
        "name": "credential",
        "summary": "only the gate of this credential"
      },
      {
        "name": "tenant",
        "summary": "only of this tenant"
      }
    ],
    "json": "released | list | the gates that were opened, or would be\nreleased[].dependency | text | the dependency that is rate-limited\nreleased[].credential | text or null | the credential that is rate-limited; null: all\nreleased[].tenant | text or null | the tenant that is rate-limited; null: all\nreleased[].until | time | when it opens by itself\nreleased[].since | time | when it was closed\nreleased[].cut | boolean | true: the Retry-After was longer than the hour that a gate may be closed\nreleased[].parked | number | jobs that wait for it, counted up to 10,000\nreleased[].bounded | boolean | true: more jobs wait for it\nhas_worker | boolean | false: no live worker has the handlers of the parked jobs, so they wait for one\ndry_run | boolean | true: nothing was changed"
  }
} as const satisfies Readonly<Record<string, ManifestEntry>>;

export type ActionName = keyof typeof MANIFEST;
