import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

export const LAB_COMMANDS: CommandGroup = {
  name: 'lab',
  summary: 'record the attempts of a time window from the audit log, and replay them',
  commands: [
    actionCommand({
      name: 'record',
      action: 'lab.recording',
      summary: 'write the attempts of a time window into a directory, as a recording',
      details:
        "It reads the audit log once and writes recording/v1: a JSON line per attempt, with dependency, handler, policy, rung, attempt number, times, error class and type, hint and decision. A session is a salted hash; there is no payload and no message. The log has only the end of a job's successful attempt. Calls in process are in it if they use an audit sink. A handler without a dependency is its own. Only you can read the file. Ctrl-C keeps the attempts that were written.",
      options: [
        '--since <time> | attempts that ended at this time or later; 7d: within the last 7 days; default 7d',
        '--until <time>',
        '--dependency <name>',
        '--to <directory> | the directory; it must be empty, or not exist',
      ],
      examples: [
        'redrive lab record --since 7d --to recording',
        'redrive lab record --since 2027-01-31T08:00:00Z --until 2027-01-31T10:00:00Z --dependency mail --to incident',
      ],
      jsonFields: `
        file | text | the recording
        attempts | number | attempts in it
        since | time | ISO 8601
        until | time | ISO 8601
      `,
      exits: { refused: 'the directory is not empty' },
      run: async () => (await import('./record.ts')).runLabRecord,
    }),
    {
      name: 'replay',
      summary: 'derive every decision of a time window again, also with another policy',
      options: [
        '--since <time> | attempts that ended at this time or later; default 7d',
        '--until <time> | attempts that ended before this time; default now',
        {
          flags: '--policy <id=file>',
          summary:
            'derive sessions of this policy also with the policy of that id in another file; id=FILE:ID: with another id',
          repeats: true,
        },
        '--session <id> | this session alone, or the session of this job',
        '--limit <n> | sessions that are listed with their first differing decision; default 20',
      ],
      uses: 'store',
      reads: 'sessions',
      details:
        'Every decision is derived again from its record, by its recorded policy: the answer must be the recorded one. With --policy it is also derived by the other policy, from the same input. Up to the first decision that differs, a session goes as it was recorded. What follows is inferred as in "redrive policies backtest", and marked: an attempt fails while the dependency was down, or while the failure of the session itself lasted. If the other policy gives the session up, nothing is inferred. Error classes, hints, deadlines and budgets are those of the record; so is a breaker, unless the other policy has none. A breaker that the other policy adds, or another timeout of it, changes no decision: use the back-test. A requeue begins another session. At most 100,000 attempts are used. Ctrl-C prints the results so far.',
      examples: [
        'redrive lab replay --since 2027-01-31T08:00:00Z --until 2027-01-31T10:00:00Z',
        'redrive lab replay --since 2h --policy mail=new.yaml:patient --json',
      ],
      json: `
        since | time | ISO 8601
        until | time | ISO 8601
        decisions | number | decisions that were derived again; a success is one
        underived | number | decisions with another answer than the recorded one
        underived_examples | any | the first ten: \`session\`, \`attempt\`, \`at\` and \`problem\`
        policies | any | the policies of --policy: \`id\` and \`other\`, which is file:id
        recorded | any | totals of the record: \`sessions\`, \`attempts\`, \`succeeded\`, \`given_up\`, \`unfinished\` and \`mean_ms_to_success\`
        other | any | the same with the other policies; null without --policy
        inferred | any | the part of \`other\` that is inferred; null without --policy
        differing_sessions | number | sessions with a decision that differs
        differences | any | the first differing decision of each session, at most --limit: \`session\`, \`generation\`, \`attempt\`, \`at\`; \`recorded\` and \`other\`, each with \`action\`, \`reason\` and \`delay_ms\` (the action \`run\`: the other policy has no breaker, which kept the session back); \`course\`, how the session goes on with the other policy: \`attempts\`, \`result\` (succeeded, given-up or unfinished), \`at\` and \`inferred\`
      `,
      exits: {
        failed: 'a decision does not follow from its record',
        no_match: 'the session has no attempt in that time, or the other policy does not exist',
        refused: 'there is no attempt in that time, or none of the policy',
        partial: 'there are more attempts than are used',
      },
      verdict: true,
      load: async () => (await import('./replay.ts')).runLabReplay,
    },
  ],
};
