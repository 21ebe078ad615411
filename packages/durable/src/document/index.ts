export {
  CHANGE_FEED_HANDLER,
  type ChangeFeed,
  type ChangeFeedParts,
  changeFeedHandler,
  changeFeedSchedule,
} from '../change-feed/change-feed.ts';
export * from '../document-source/document-source.ts';
export { type MemoryDocument, type MemoryDocuments, memoryDocuments } from '../memory/documents.ts';
export { type DocumentHandlerOptions, documentHandler } from './document-handler.ts';
export * from './documents-on.ts';
export type { EventTemplate, TemplateValue } from './event-template.ts';
export { type SentCounter, sentCounter } from './sent-counter.ts';
export type { DocumentJob, EventBody, Sweep, SweepEvent } from './sweep.ts';
export type { SweepReport } from './sweep-documents.ts';
export { SWEEP_HANDLER, type SweepNumbers } from './sweep-numbers.ts';
export { type RunReport, runSweeps, sweepHandler } from './sweep-run.ts';
