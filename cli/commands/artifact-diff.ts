import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { ArtifactDiff } from '../../shared/contract/agent-artifacts.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { diffGrades } from '../../shared/contract/diff.ts';
import { exitCodes } from '../command-error.ts';
import { describeDiff } from '../diff/describe-diff.ts';
import { type Context, serves } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import type { Place, Session } from '../session.ts';
import { printable, printableLines } from '../terminal/printable.ts';
import { outputColors } from '../terminal/terminal.ts';

type Options = { readonly failOn: 'breaking' | 'risky' | 'none' };

export function registerArtifactDiff(artifacts: Command, context: Context): void {
  artifacts
    .command('diff')
    .argument('<id>', 'id of the artifact')
    .description('compares an artifact with its parent, and says what its SQL would change and break downstream')
    .addOption(
      new Option('--fail-on <grade>', 'exit with 1 from this grade on')
        .choices(['breaking', 'risky', 'none'])
        .default('none'),
    )
    .action(serves<Options>(context, diff));
}

async function diff(session: Session, [artifact_id = '']: readonly string[], { failOn }: Options): Promise<Outcome> {
  const connector = await session.namedConnector();
  const query = { workspace_id: (await session.workspace()).id, connector_id: connector?.id };
  const json = await (await session.api()).ask(routes.diffArtifact, { params: { artifact_id }, query });
  const answer = v.parse(ArtifactDiff, json);
  const grade = answer.changes?.grade ?? 'safe';
  const isFound = failOn !== 'none' && diffGrades.indexOf(grade) >= diffGrades.indexOf(failOn);
  return {
    json,
    text: () => described(session, answer, connector),
    exitCode: isFound ? exitCodes.wanting : exitCodes.done,
  };
}

function described({ terminal }: Session, answer: ArtifactDiff, connector: Place | null): string {
  const { unified, lineage, changes, changes_unknown } = answer;
  const style = outputColors(terminal);
  const lines = [printableLines(unified.trimEnd())];
  if (lineage?.reads) lines.push('', printable(`Reads ${lineage.reads.join(', ') || 'nothing'}.`));
  if (lineage && changes === null)
    lines.push(
      style.yellow(
        printable(
          `What it would change of the graph is not known: ${changes_unknown}${connector ? '' : ' (--connector NAME)'}`,
        ),
      ),
    );
  if (changes !== null)
    lines.push('', printable(`What it would change of ${changes.relation_ref}:`), describeDiff(changes, style));
  if (changes && changes.unknown_reads.length > 0)
    lines.push(style.yellow(printable(`  Not in the graph: ${changes.unknown_reads.join(', ')}`)));
  return lines.join('\n');
}
