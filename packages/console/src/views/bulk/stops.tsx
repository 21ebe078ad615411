import type { OperationsShowAnswer } from '@redrive/client';
import { CommandLine, Notice, Time } from '../../components/index.ts';
import { whoAndWhy } from '../../format.ts';

/** What keeps jobs of a bulk operation from starting, each with the command that lets them start. */
export function Stops({ of }: { readonly of: OperationsShowAnswer['stopped_by'] }) {
  return of.map(({ what, since, by, why, next }) => (
    <Notice key={what} end={<CommandLine text={next} />}>
      Jobs wait: {what}
      {since && (
        <>
          {' since '}
          <Time at={since} kind="since" />
        </>
      )}
      {by && `, ${whoAndWhy(by, why)}`}.
    </Notice>
  ));
}
