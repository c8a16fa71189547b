/**
 * A database as version 1 left it, with chats and files of every origin, written by the app itself: what of it may
 * leave the device must be the same in every later version. Never edit, nor `origins.version1.json`, which holds it.
 */
import type { Store } from './database.fixture.ts'
import written from './origins.version1.json' with { type: 'json' }

export const version1Origins = written as { nativeVersion: number; stores: Store[] }
