export type {
  Config,
  ConfiguredPolicy,
  Override,
  PolicyField,
  SectionOverride,
  ValueSource,
} from './config.ts';
export { CURRENT_VERSION, type FileContent } from './content/file-content.ts';
export { type ExplainedDelay, type Explanation, explain } from './explain/explain.ts';
export { type LookUp, lookUp, type NotFound } from './look-up/look-up.ts';
export { type ParsedConfig, type ParseOptions, parseConfig } from './parse-config.ts';
export { findPresetPolicy, PRESETS, type Preset, type PresetName } from './presets/presets.ts';
export { type CodeDoc, PROBLEM_CODES, type ProblemCode } from './problem/codes.ts';
export { nearest } from './problem/nearest.ts';
export { isValid, type Problem } from './problem/problem.ts';
export { presetConfig } from './resolve/assemble-config.ts';
export {
  type ResolvedConfig,
  type ResolveOptions,
  resolveConfig,
} from './resolve/resolve-config.ts';
export { configJsonSchema } from './schema/json-schema.ts';
export { configReference } from './schema/reference.ts';
export { sampleConfig } from './schema/sample.ts';
export { BUILT_IN_SECTIONS } from './sections/built-in.ts';
export { defineSection, type Section } from './sections/section.ts';
export type {
  FileVersion,
  MapShape,
  ObjectShape,
  Shape,
  TreeShape,
  ValueShape,
} from './shape/shape.ts';
