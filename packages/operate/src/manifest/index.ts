export { type InputProblem, isRefusal, Refusal, type RefusalKind } from '../action/refusal.ts';
export { atLeast, ROLES, type Role, type Who } from '../action/who.ts';
export { type ActionName, MANIFEST } from './manifest.ts';
export type { ManifestEntry, ManifestField } from './manifest-entry.ts';
