import { type ForgetPlace, type ForgetPorts, forgetObservations } from './forget-observations.ts';
import type { SweepPlaces } from './places.ts';

const task = 'observations';
const dayMs = 86_400_000;

/** A round of forgetting, and where it stands; null: it has ended. */
type Round = { readonly began: number; readonly place: ForgetPlace | null };

/** Goes on with the round that is under way, or begins one where the last began a day ago; answers how much it forgot. */
export async function forgetInRounds(
  ports: ForgetPorts & { readonly places: SweepPlaces },
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<number> {
  const round = (await ports.places.read(task)) as Round | null;
  const isOver = !round?.place;
  if (isOver && round !== null && now.getTime() - round.began < dayMs) return 0;
  const began = isOver ? now.getTime() : round.began;
  const { observations, next } = await forgetObservations(ports, { from: round?.place ?? null, now, timeIsUp });
  await ports.places.write(task, { began, place: next } satisfies Round);
  return observations;
}
