import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { sizeBudget } from './.ci/size-budget.ts'

export default defineConfig({
  plugins: [svelte(), sizeBudget()],
  build: { target: 'es2022', sourcemap: true },
  worker: { format: 'es' },
  server: { port: 5147, strictPort: true },
  preview: { port: 5147, strictPort: true },
  test: { include: ['src/**/*.test.ts', 'workers/**/*.test.ts', 'bench/**/*.test.ts'], environment: 'node', testTimeout: 30_000 },
})
