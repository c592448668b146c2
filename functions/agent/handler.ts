import { agentArtifactRoutes } from '../../shared/contract/routes/agent-artifacts.ts';
import { agentCheckRoutes } from '../../shared/contract/routes/agent-checks.ts';
import { agentContextRoutes } from '../../shared/contract/routes/agent-context.ts';
import { agentMemoryRoutes } from '../../shared/contract/routes/agent-memory.ts';
import { agentPorts } from '../../shared/runtime/composition/agent.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { artifactImplementations } from './artifacts.ts';
import { checkImplementations } from './checks.ts';
import { contextImplementations } from './context.ts';
import { memoryImplementations } from './memory.ts';

const ports = agentPorts();

/** Tells agents where they are, and keeps what they leave behind. */
export const handler = httpFunction(
  { ...agentCheckRoutes, ...agentArtifactRoutes, ...agentMemoryRoutes, ...agentContextRoutes },
  {
    ...checkImplementations(ports),
    ...artifactImplementations(ports),
    ...memoryImplementations(ports),
    ...contextImplementations(ports),
  },
);
