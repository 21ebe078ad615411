export { actOnEscalation, type EscalationWish } from './act-on-escalation.ts';
export type { BusinessHours } from './business-hours.ts';
export {
  escalationSchedule,
  LOOK_HANDLER,
  type LookReport,
  lookAtEscalations,
  lookHandler,
  NOTIFY_HANDLER,
} from './look-at-escalations.ts';
export type { EscalationDecision, EscalationDocument } from './next-step.ts';
export {
  type EscalationChannel,
  type Notification,
  type NotifyOptions,
  notifyHandler,
} from './notify.ts';
export {
  ESCALATION_QUEUE,
  type Escalation,
  type EscalationRules,
  type Escalations,
  readEscalations,
} from './read-escalations.ts';
export { DEFAULT_TIERS, type EscalationFacts, type EscalationTier, tierOf } from './tiers.ts';
