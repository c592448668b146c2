// Installs what is missing for testing, deploying and developing; modules that import this can use it afterwards.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
