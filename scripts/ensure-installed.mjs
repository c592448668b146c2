// Installs what is missing for testing, deploying and developing; whoever imports this has it from then on.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
