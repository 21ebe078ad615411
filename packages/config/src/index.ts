export type {
  Config,
  ConfiguredPolicy,
  Override,
  PolicyField,
  SectionOverride,
  ValueSource,
} from './config.ts';
export { CURRENT_VERSION, type FileContent } from './content/file-content.ts';
export {
  type EnvEntry,
  type EnvFileFault,
  type ParsedEnvFile,
  parseEnvFile,
} from './environment/parse-env-file.ts';
export {
  type EnvironmentInput,
  type EnvironmentReading,
  readEnvironment,
} from './environment/read-environment.ts';
export { VARIABLES, type Variable, type VariableTarget } from './environment/variables.ts';
export { type ExplainedDelay, type Explanation, explain } from './explain/explain.ts';
export { type WorstCase, worstCasesOf } from './explain/worst-case.ts';
export { type ConfiguredBreakers, configuredBreakers } from './guards/configured-breakers.ts';
export { type ConfiguredBudgets, configuredBudgets } from './guards/configured-budgets.ts';
export { type LookUp, lookUp, type NotFound } from './look-up/look-up.ts';
export { type MigratedConfig, migrateConfig } from './migrate/migrate-config.ts';
export { type ParsedConfig, type ParseOptions, parseConfig } from './parse-config.ts';
export { findPresetPolicy, PRESETS, type Preset, type PresetName } from './presets/presets.ts';
export { type CodeDoc, PROBLEM_CODES, type ProblemCode } from './problem/codes.ts';
export { isValid, type Problem } from './problem/problem.ts';
export type { ConfigChange, ReloadCause } from './reload/config-change.ts';
export type { ConfigWatcher, ReloadResult, WatchConfigOptions } from './reload/config-watcher.ts';
export { type ConfigDiff, type DiffEntry, diffConfig, renderDiff } from './reload/diff-config.ts';
export { type LoadedConfig, type LoadOptions, loadConfig } from './reload/load-config.ts';
export { localActor } from './reload/local-actor.ts';
export { watchConfig } from './reload/watch-config.ts';
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
export { DEFAULT_STORE } from './sections/store-section.ts';
export { type HandlerSettings, type JobsSettings, jobsSettings } from './settings/jobs-settings.ts';
export { maskUrls } from './settings/mask-urls.ts';
export { type StoreLine, storeLine } from './settings/store-line.ts';
export { absoluteStore, type StoreSettings, storeSettings } from './settings/store-settings.ts';
export type {
  FileVersion,
  MapShape,
  ObjectShape,
  Shape,
  TreeShape,
  ValueShape,
} from './shape/shape.ts';
