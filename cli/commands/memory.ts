import { type Command, Option } from 'commander';
import { readAnswer } from '../../shared/client/api.ts';
import { type MemoryCandidate, memoryScopes, memoryStatuses, memoryTypes } from '../../shared/contract/agent-memory.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { appendValue, type Context, integer, limitOption, serves } from '../framework.ts';
import { type Outcome, requestOutcome, tableOf } from '../outcome.ts';
import type { Session } from '../session.ts';
import { type Row, record, shortened } from '../terminal/terminal.ts';

type Search = {
  readonly target?: string;
  readonly scope?: string;
  readonly limit: number;
};
type Edits = {
  readonly content?: string;
  readonly title?: string;
  readonly type?: string;
  readonly scope?: string;
  readonly tag?: readonly string[];
  readonly target?: string;
};

const scope = (description: string) => new Option('--scope <scope>', description).choices(memoryScopes);

export function registerMemory(program: Command, context: Context): void {
  const memory = program.command('memory').description('what agents learned from corrections');
  memory
    .command('search')
    .argument('[words...]', 'words in the memory')
    .description('finds approved memories')
    .option('--target <key>', 'only memories about this relation or column')
    .addOption(scope('those of a scope'))
    .addOption(limitOption)
    .action(serves(context, search));
  registerGeneration(memory, context);
  registerDecisions(memory, context);
}

function registerGeneration(memory: Command, context: Context): void {
  memory
    .command('candidates')
    .description('lists pending candidates, newest first')
    .addOption(new Option('--status <status>', 'only this status').choices(memoryStatuses).default('pending'))
    .addOption(limitOption)
    .action(serves(context, candidates));
  memory
    .command('generate')
    .argument('<text>', 'the correction, in sentences')
    .description('creates memory candidates from a correction by fixed rules, without a language model')
    .option('--limit <n>', 'maximum number of candidates', integer(limits.memory.candidates))
    .action(serves(context, generate));
}

function registerDecisions(memory: Command, context: Context): void {
  memory
    .command('approve')
    .argument('<id>', 'id of the candidate')
    .description('approves a candidate, with optional edits')
    .option('--content <text>', 'new content')
    .option('--title <title>', 'new title')
    .addOption(new Option('--type <type>', 'type of memory').choices(memoryTypes))
    .addOption(scope('whose it is'))
    .option('--tag <tag>', 'tag to find it by; repeatable', appendValue)
    .option('--target <key>', 'relation or column that it describes')
    .action(serves(context, approve));
  for (const [decision, route, description] of [
    ['reject', routes.rejectCandidate, 'says that a candidate is wrong'],
    ['dismiss', routes.dismissCandidate, 'says that a candidate is not worth remembering'],
  ] as const)
    memory
      .command(decision)
      .argument('<id>', 'id of the candidate')
      .description(description)
      .action(
        serves(context, (session, [candidate_id = '']) =>
          requestOutcome(session, route, { params: { candidate_id } }, record),
        ),
      );
  memory
    .command('supersede')
    .argument('<memory-id>', 'id of the memory')
    .description('marks a memory as superseded')
    .action(
      serves(context, (session, [memory_id = '']) =>
        requestOutcome(session, routes.supersedeMemory, { params: { memory_id } }, record),
      ),
    );
}

async function search(session: Session, words: readonly string[], options: Search): Promise<Outcome> {
  const query = {
    q: words.length > 0 ? words.join(' ') : undefined,
    target_key: options.target,
    scope: options.scope,
  };
  const page = await session.pages(routes.listMemory, { query }, options.limit);
  return tableOf(routes.listMemory, page, 'No matching memories.', (one) => ({
    MEMORY: one.approved_memory_id,
    ...cells(one),
  }));
}

async function candidates(
  session: Session,
  _: readonly string[],
  { status, limit }: { status: string; limit: number },
) {
  const page = await session.pages(routes.listCandidates, { query: { status } }, limit);
  return tableOf(routes.listCandidates, page, `No candidate is ${status}.`, candidate);
}

async function generate(session: Session, [correction_text = '']: readonly string[], { limit }: { limit?: number }) {
  const body = { correction_text, limit };
  const page = readAnswer(routes.generateCandidates, await session.ask(routes.generateCandidates, { body }));
  return tableOf(routes.generateCandidates, page, 'The text has no sentences.', candidate);
}

const candidate = (one: MemoryCandidate): Row => ({ CANDIDATE: one.id, ...cells(one) });

const cells = ({ memory_type, scope, target_key, content }: MemoryCandidate): Row => ({
  TYPE: memory_type,
  SCOPE: scope,
  ABOUT: target_key,
  SAYS: shortened(content, 80),
});

async function approve(session: Session, [candidate_id = '']: readonly string[], edits: Edits): Promise<Outcome> {
  const { content, title, type: memory_type, scope: of, tag: tags, target: target_key } = edits;
  const body = { content, title, memory_type, scope: of, tags, target_key };
  return requestOutcome(session, routes.approveCandidate, { params: { candidate_id }, body }, record);
}
