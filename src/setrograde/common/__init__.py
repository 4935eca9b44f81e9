"""What every long task needs: threads, memory limits, files, progress, a way to stop it.

Nothing here knows a game; `cpp/setrograde/common/` is its counterpart in the core.
"""
