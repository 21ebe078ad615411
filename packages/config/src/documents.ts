// Unstable: a minor version may change any of it. For the `redrive` command, the HTTP API and the console.

export { type ConfigGroup, configDocument, configGroups } from './explain/config-document.ts';
export { type FieldValue, fieldValues } from './explain/field-values.ts';
export {
  type DelayDifference,
  diffDocument,
  differingDelays,
  differingFields,
  fittingScale,
  isPreset,
  type ListedPolicy,
  listedPolicies,
  plotDocument,
  policyDocument,
  policyJson,
} from './explain/policy-documents.ts';
export { validationDocument } from './problem/problem.ts';
export { type AppliedNote, appliedNoteFile, textDigest } from './reload/last-change.ts';
export { handlerDependencies } from './settings/jobs-settings.ts';
