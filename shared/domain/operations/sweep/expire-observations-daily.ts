import type { SweepCheckpoints } from './archive-payloads.ts';
import { type ExpiryPorts, expireObservations, type NodePosition } from './expire-observations.ts';

const task = 'observations';
const dayMs = 86_400_000;

/** A pass over all observations, and where it is; null: it has ended. */
type ExpiryPass = { readonly began: number; readonly place: NodePosition | null };

/** Goes on with the pass that is under way, or begins one where the last began a day ago; answers how many it removed. */
export async function expireObservationsDaily(
  ports: ExpiryPorts & { readonly places: SweepCheckpoints },
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<number> {
  const pass = (await ports.places.read(task)) as ExpiryPass | null;
  const hasEnded = !pass?.place;
  if (hasEnded && pass !== null && now.getTime() - pass.began < dayMs) return 0;
  const began = hasEnded ? now.getTime() : pass.began;
  const { observations, next } = await expireObservations(ports, { from: pass?.place ?? null, now, timeIsUp });
  await ports.places.write(task, { began, place: next } satisfies ExpiryPass);
  return observations;
}
