/**
 * The settings of the three systems as published: two example files, and CowAgent's keys as its config.json has them.
 */
import type { StrategyName } from '../strategy.ts'

export const publishedConfigs: readonly { strategy: StrategyName; because: string; file: string; lines: number }[] = [
  {
    strategy: 'cowagent',
    because: 'agent_max_context_tokens',
    lines: 3,
    file: `{
  "agent_max_context_tokens": 80000,
  "agent_max_context_turns": 30,
  "agent_max_steps": 15
}`,
  },
  {
    strategy: 'copaw',
    because: 'memory_compact_ratio',
    lines: 5,
    file: `{
  "agents": {
    "running": {
      "max_input_length": 128000,
      "memory_compact_ratio": 0.7,
      "memory_reserve_ratio": 0.1,
      "enable_tool_result_compact": true,
      "tool_result_compact_keep_n": 3
    }
  }
}`,
  },
  {
    strategy: 'qwenpaw',
    because: 'context_manager_backend',
    lines: 10,
    file: `{
  "agents": {
    "running": {
      "max_input_length": 128000,
      "context_manager_backend": "light",
      "light_context_config": {
        "dialog_path": "dialog",
        "context_compact_config": {
          "enabled": true,
          "compact_threshold_ratio": 0.8,
          "reserve_threshold_ratio": 0.1
        },
        "tool_result_pruning_config": {
          "enabled": true,
          "pruning_recent_n": 2,
          "pruning_old_msg_max_bytes": 3000,
          "pruning_recent_msg_max_bytes": 50000
        }
      }
    }
  }
}`,
  },
]
