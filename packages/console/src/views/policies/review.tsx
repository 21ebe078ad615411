import type { PoliciesReviewAnswer } from '@redrive/client';
import { client } from '../../api.ts';
import {
  Button,
  type Column,
  Empty,
  ErrorNotice,
  Link,
  List,
  ListSection,
  Loaded,
  Notice,
  Section,
  Sparkline,
  State,
  Two,
} from '../../components/index.ts';
import { ago, duration, msOf, num, percent, plural, shortId } from '../../format.ts';
import { useAct, useRead } from '../../use-query.ts';
import { compareHref, tryHref } from './try-scene.ts';

type Review = PoliciesReviewAnswer;
type Finding = Review['findings'][number];
type Row = Review['policies'][number];

/** A review that is under way is soon over; the server makes one an hour. */
const EVERY_MS = 5_000;

/** Problems that the attempts of a policy show, and the attempts at which sessions recover. */
export function PolicyReview() {
  const query = useRead(client.policies.review, {}, { everyMs: EVERY_MS });
  const renew = useAct(async () => {
    await client.policies.review({ renew: true });
    query.reload();
  });
  const isPending = renew.isPending || typeof query.data?.under_way === 'number';
  const end = (
    <Button small onClick={renew.run} isPending={isPending} pending="Review requested…">
      Review now
    </Button>
  );
  return (
    <Loaded query={query} title="The policies were not reviewed.">
      {(review) => (
        <>
          {renew.problem && <ErrorNotice problem={renew.problem} title="Not reviewed." />}
          <Section title={titleOf(review)} note={noteOf(review)} end={end}>
            {review.findings.length > 0 && (
              <List
                label="Findings"
                rows={review.findings}
                columns={FINDING_COLUMNS}
                idOf={({ code, policy, figure }) => `${code} ${policy} ${figure}`}
              />
            )}
            {review.undecided.map(({ policy, figure }) => (
              <Notice key={policy}>
                {policy}: {figure}
              </Notice>
            ))}
            {review.reviewed_at !== null && review.policies.length === 0 && (
              <Empty title="No attempt in this time" command="redrive policies review --since 30d">
                Findings rest on the attempts of the audit log.
              </Empty>
            )}
          </Section>
          <ListSection
            title="Recovered by attempt"
            none="no session in this time"
            rows={review.policies}
            columns={ROW_COLUMNS}
            idOf={({ policy, category }) => `${policy} ${category}`}
          />
        </>
      )}
    </Loaded>
  );
}

function titleOf({ findings, reviewed_at }: Review): string {
  if (reviewed_at === null) return 'Findings';
  return findings.length === 0 ? 'No findings' : plural(findings.length, 'finding');
}

function noteOf({ reviewed_at, since, until, policies, under_way }: Review): string {
  if (reviewed_at === null) return `the audit log is read, ${percent(under_way ?? 0)}`;
  const sessions = policies.reduce((sum, row) => sum + row.sessions, 0);
  const window = duration(msOf(until ?? 0) - msOf(since ?? 0));
  return `${plural(sessions, 'session')} in ${window}, reviewed ${ago(reviewed_at)}`;
}

/** `never_recovers` as `Never recovers` */
const words = (code: string) => code[0]?.toUpperCase() + code.slice(1).replaceAll('_', ' ');
/** A policy that exists only in code has no page. */
const policyLink = ({ policy, configured }: Finding | Row) =>
  configured ? <Link href={compareHref(policy)}>{policy}</Link> : policy;

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  [
    'Finding',
    ({ code, figure }) => <Two top={<State of="warning" word={words(code)} />} sub={figure} />,
    'wrap',
  ],
  ['Policy', policyLink],
  ['Sessions', ({ sessions }) => sessions, 'n'],
  [
    'Examples',
    ({ examples }) =>
      examples.map((id) => [
        <Link key={id} href={`/jobs?q=session:${encodeURIComponent(id)}`}>
          {shortId(id)}
        </Link>,
        ' ',
      ]),
    'mono wrap hide-phone',
  ],
  ['Next', ({ next }) => <code>{next}</code>, 'wrap hide-phone'],
  ['', ({ policy, configured }) => configured && <Link href={tryHref(policy)}>Try</Link>, 'n'],
];

/** Attempts of which the review has a share, without the first: a success at once is no recovery. */
const RECOVERIES = 9;

function Bars({ succeeded_at: [, ...recovered] }: Row) {
  if (recovered.length === 0) return <span class="muted">none</span>;
  const values = Array.from({ length: RECOVERIES }, (_, at) => recovered[at] ?? 0);
  return (
    <Two
      top={<Sparkline kind="bars" tone="green" values={values} width={96} />}
      sub={recovered.map(percent).join(', ')}
    />
  );
}

const ROW_COLUMNS: readonly Column<Row>[] = [
  ['Policy', policyLink],
  ['Category', ({ category }) => category ?? <span class="muted">none</span>, 'hide-phone'],
  ['Sessions', ({ sessions }) => sessions, 'n'],
  ['First try', ({ succeeded_at: [first = 0] }) => percent(first), 'n hide-phone'],
  ['Succeeded', ({ success_rate }) => percent(success_rate), 'n'],
  ['Attempts each', ({ average_attempts }) => num(average_attempts), 'n hide-phone'],
  ['Recovered at attempt 2, 3, …', Bars, 'wrap'],
];
