/**
 * The engine itself, 6.8 MB of script: a file of its own, loaded on its thread when a model is loaded, and never
 * before.
 */
import { MLCEngine } from '@mlc-ai/web-llm'
import type { LocalModel } from '../../../core/ports/local-engine.ts'
import type { ChatEngine } from './webllm-chat.ts'
import { webllmModelId } from './webllm-host.ts'

/** An engine that knows this one model. */
export function makeEngine(model: LocalModel, progress: (share: number) => void): ChatEngine {
  const { weights, program, features, bufferBytes, manifest } = model.webllm!
  return new MLCEngine({
    appConfig: {
      cacheBackend: 'cache',
      model_list: [
        {
          model: weights,
          model_id: webllmModelId(model),
          model_lib: program,
          required_features: features,
          ...(bufferBytes === undefined ? {} : { buffer_size_required_bytes: bufferBytes }),
          ...(manifest === undefined ? {} : { model_manifest: manifest }),
        },
      ],
    },
    initProgressCallback: report => {
      progress(report.progress)
    },
    logLevel: 'WARN',
  })
}
