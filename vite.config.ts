import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', sourcemap: true },
  worker: { format: 'es' },
  server: { port: 5147, strictPort: true },
  preview: { port: 5147, strictPort: true },
  test: { include: ['src/**/*.test.ts', 'workers/**/*.test.ts', 'bench/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
})
