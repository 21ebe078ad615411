import type { Job, Payload } from '../job/job.ts';

/** Bytes can be written to; everything else in a job is read-only. So the store neither keeps nor hands out the same ones. */
export function copyPayload(payload: Payload): Payload {
  return payload.kind === 'json' ? payload : { kind: 'bytes', bytes: payload.bytes.slice() };
}

export function copyJob<J extends Job>(job: J): J {
  return job.payload.kind === 'json' ? job : { ...job, payload: copyPayload(job.payload) };
}
