import type { ImpactQuestion } from './question.ts';
import type { Walk } from './walk.ts';

/** Goes all the way, depth by depth, so that no direction takes another's room before its nearest relations are found. */
export async function walkInStep(
  walks: readonly Walk[],
  { maxDepth, maxNodes }: Pick<ImpactQuestion, 'maxDepth' | 'maxNodes'>,
): Promise<void> {
  let room = maxNodes;
  for (let depth = 1; depth <= maxDepth; depth++) {
    const going = walks.filter((walk) => !walk.ended());
    const share = Math.ceil(room / walks.length);
    const waiting = await Promise.all(going.map((walk) => walk.look()));
    if (waiting.every((count) => count < share / 2)) {
      // Far from the end of the room no direction has to know what another took.
      for (const taken of await Promise.all(going.map((walk) => walk.take(share)))) room -= taken;
    } else {
      for (const [i, walk] of going.entries()) room -= await walk.take(i === going.length - 1 ? room : share);
    }
  }
}
