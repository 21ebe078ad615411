import { SPLIT_BY } from '@redrive/core/stored';
import { defineSection, optional, text, texts, value } from './section.ts';

const PATTERNS = '`*` stands for any text, and upper and lower case are the same';

/** Rules of causes, which `redrive start` puts in force. */
export const causesSection = defineSection(
  'causes',
  {
    kind: 'map',
    key: 'cause',
    meaning:
      'Rules of causes by name, in their order: they join failures in one cause, or split a cause. All conditions of a rule must hold; one entry of a list is enough. They apply before those that people set. Workers of one store share them: keep them in one file.',
    of: {
      kind: 'object',
      meaning: 'A rule: failures that match all of its conditions are the cause of its name.',
      fields: {
        title: optional(text, 'The cause as people read it.', 'its name'),
        fingerprints: value(texts, 'Causes as they are without this rule.'),
        handlers: value(texts, `Patterns of handlers: ${PATTERNS}.`),
        types: value(texts, 'Patterns of types of errors, such as `*TimeoutError`.'),
        codes: value(texts, 'Patterns of codes of errors, or of the status of an HTTP answer.'),
        messages: value(
          texts,
          'Patterns of messages, as they are stored: secrets masked, at most 500 characters.',
        ),
        into: optional(
          text,
          'The fingerprint of the cause that the failures join.',
          'the cause of its name',
        ),
        split_by: optional(
          { kind: 'choice', values: [...SPLIT_BY] },
          'Makes a cause for each value instead.',
          'none',
        ),
        split_pattern: optional(
          text,
          'A pattern: failures with a message that matches become a cause of their own.',
          'none',
        ),
      },
    },
  },
  `causes:
  card-refused:
    title: Card refused by the bank
    messages: ["*card*declined*", "*card*expired*"]
`,
);
