/** What reaches a deployment, a second; it is the same in each of its workspaces. */
export type Load = {
  /** Analytics events, in batches of ten. */
  readonly events: number;
  /** OpenLineage events, each its own request, of one feed a workspace. */
  readonly openLineage: number;
  /** Relations of one project; a complete snapshot has three edges for each. */
  readonly relations: number;
  readonly workspaces: number;
  /** Questions of impact. */
  readonly readers: number;
};
export type Dimension = keyof Load;

export const eventsPerBatch = 10;
export const edgesPerRelation = 3;

/** A company with ten teams. */
export const today: Load = { events: 100, openLineage: 10, relations: 1_000, workspaces: 10, readers: 5 };

export const dimensions = Object.keys(today) as readonly Dimension[];

/** Multiplies one kind of load; more workspaces are as busy as today's are. */
export const scaled = (by: Dimension, factor: number): Load =>
  by === 'workspaces'
    ? {
        ...today,
        workspaces: today.workspaces * factor,
        events: today.events * factor,
        openLineage: today.openLineage * factor,
        readers: today.readers * factor,
      }
    : { ...today, [by]: today[by] * factor };
