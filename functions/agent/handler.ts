import { agentArtifactRoutes } from '../../shared/contract/agent-artifacts.ts';
import { agentCheckRoutes } from '../../shared/contract/agent-checks.ts';
import { agentContextRoutes } from '../../shared/contract/agent-context.ts';
import { agentMemoryRoutes } from '../../shared/contract/agent-memory.ts';
import { agentPorts } from '../../shared/runtime/composition/agent.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { artifactImplementations } from './artifacts.ts';
import { checkImplementations } from './checks.ts';
import { contextImplementations, memoryImplementations } from './memory.ts';

const ports = agentPorts();

export const handler = httpFunction(
  { ...agentCheckRoutes, ...agentArtifactRoutes, ...agentMemoryRoutes, ...agentContextRoutes },
  {
    ...checkImplementations(ports),
    ...artifactImplementations(ports),
    ...memoryImplementations(ports),
    ...contextImplementations(ports),
  },
);
