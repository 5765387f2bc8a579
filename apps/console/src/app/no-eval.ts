/** The content policy forbids creating functions from text. Without this setting, Zod tries it on every page. */
import { config } from 'zod';

config({ jitless: true });
