import { filterText } from './filter.ts';

const part = encodeURIComponent;

export const jobHref = (id: string) => `/jobs/${part(id)}`;
export const letterHref = (id: string) => `/dead?open=${part(id)}`;
export const causeHref = (fingerprint: string) => `/dead?cause=${part(fingerprint)}`;
export const batchHref = (id: string) => `/batches?open=${part(id)}`;
export const operationHref = (id: string) => `/ops/${part(id)}`;
export const auditHref = (session: string) =>
  `/audit?q=${part(filterText([{ key: 'session', value: session }]))}`;
