import * as v from 'valibot';
import type { Team } from './team.ts';

/** Conditions that the week never breaks, evaluated after what changes their relations. */
export async function addChecks(team: Team): Promise<void> {
  for (const expectation of ['at most 200 upstream relations', 'no stale edge']) {
    const body = {
      workspace_id: team.workspace,
      name: expectation,
      expectation,
      scope: { include: ['analytics.team_*'] },
    };
    const { status } = await team.call('POST', '/v1/agent/checks', { body });
    if (status !== 201) throw new Error(`a check was refused with ${status}`);
  }
}

const Checks = v.object({ agent_checks: v.array(v.object({ id: v.string() })) });
const Results = v.object({ items: v.array(v.object({ state: v.string() })) });

export async function checkStates(team: Team): Promise<readonly string[]> {
  const query = `workspace_id=${team.workspace}`;
  const { agent_checks } = v.parse(Checks, (await team.call('GET', `/v1/agent/checks?${query}`)).body);
  return Promise.all(
    agent_checks.map(async ({ id }) => {
      const { body } = await team.call('GET', `/v1/agent/checks/${id}/results?${query}&limit=1`);
      return v.parse(Results, body).items[0]?.state ?? 'not evaluated';
    }),
  );
}
