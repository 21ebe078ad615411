export type { Config, ConfiguredPolicy, PolicyField } from './config.ts';
export { type ParsedDocument, parseDocument } from './document/read-document.ts';
export { type ExplainedDelay, type Explanation, explain } from './explain/explain.ts';
export { type WorstCase, worstCasesOf } from './explain/worst-case.ts';
export { type ConfiguredBreakers, configuredBreakers } from './guards/configured-breakers.ts';
export { type ConfiguredBudgets, configuredBudgets } from './guards/configured-budgets.ts';
export { type DeclaredLoad, declaredLoads, type LoadLayer } from './lints/lint-load.ts';
export { type LoadedConfig, loadConfig } from './load-config.ts';
export { type LookUp, lookUp, type NotFound } from './look-up/look-up.ts';
export { categoriesOf, type FindSubsystem, subsystemFinder } from './look-up/subsystem-of.ts';
export { type MigratedConfig, migrateConfig } from './migrate/migrate-config.ts';
export { type ParsedConfig, parseConfig } from './parse-config.ts';
export type { Problem } from './problem/problem.ts';
export type {
  ConfigChange,
  ConfigWatcher,
  ReloadResult,
  WatchConfigOptions,
} from './reload/config-watcher.ts';
export { type ConfigDiff, diffConfig, renderDiff } from './reload/diff-config.ts';
export type { LastChange } from './reload/last-change.ts';
export { watchConfig } from './reload/watch-config.ts';
export { localActor } from './reload/watch-options.ts';
export { presetConfig } from './resolve/resolve-config.ts';
export { sampleConfig } from './sample.ts';
export { type AlertsSettings, alertsSettings } from './settings/alerts-settings.ts';
export { causesSettings } from './settings/causes-settings.ts';
export {
  type EscalationChannelSettings,
  type EscalationSettings,
  type EscalationTierSettings,
  escalationSettings,
} from './settings/escalation-settings.ts';
export {
  type EventsSettings,
  eventsSettings,
  type SourceSettings,
} from './settings/events-settings.ts';
export {
  type HandlerSettings,
  type HttpSettings,
  type HttpTargetSettings,
  type JobsSettings,
  jobsSettings,
} from './settings/jobs-settings.ts';
export { type ScheduleSettings, schedulesSettings } from './settings/schedules-settings.ts';
export {
  type ProxySettings,
  type ServerSettings,
  serverSettings,
} from './settings/server-settings.ts';
export {
  maskUrls,
  type StoreSettings,
  storeLine,
  storeSettings,
} from './settings/store-settings.ts';
export {
  type SweepSettings,
  type SweepsSettings,
  sweepsSettings,
} from './settings/sweeps-settings.ts';
export { configJsonSchema } from './shape/file-shape.ts';
