export { recordAnswer } from '../audit/record-answer.ts';
export { shortFactor } from '../document/short-factor.ts';
export { asideText } from '../job/aside-text.ts';
export { type Concerned, concernedText, targetWords } from '../kill/kill-text.ts';
export {
  INTERRUPTED,
  type OperationAnswer,
  operationAnswer,
  operationDetails,
} from '../operation/operation-answer.ts';
export type { StoppedBy } from '../operation/stopped-by.ts';
export { type ScheduleAnswer, scheduleAnswer } from '../schedule/schedule-answer.ts';
export { causeText, failureSizes, handlersText, whoText } from '../status/failure-text.ts';
