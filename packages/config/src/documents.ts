// Unstable: a minor version may change any of it. For the `redrive` command, the HTTP API and the console.

export { configGroups } from './explain/config-groups.ts';
export { fieldValues } from './explain/field-values.ts';
export { isPreset, listedPolicies } from './explain/listed-policies.ts';
export { type AppliedNote, appliedNoteFile, textDigest } from './reload/last-change.ts';
export { handlerDependencies } from './settings/jobs-settings.ts';
